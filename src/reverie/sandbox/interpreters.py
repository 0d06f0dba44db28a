"""Which Python runs code, and what has to be seen of it: read from files, never asked of it.

An interpreter inside of a repository is a program that the repository brings. It is taken
without being named only when it is a link to one that this machine has anyway.
"""

import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reverie.errors import PolicyError

_ENVIRONMENTS = (".venv", "venv")
_CONFIGURATION_BYTES = 1 << 16
_INDEX_BYTES = 1 << 28
_NAME = re.compile(r"python(3(\.\d+)?)?t?")
_VERSION = re.compile(r"\d+\.\d+")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python installation as the sandbox needs to see it."""

    executable: str
    binary: str  # the executable with all links resolved
    prefix: str
    folders: tuple[str, ...]  # what has to be visible for it to run
    site_packages: tuple[str, ...]


@cache
def own_interpreter() -> Interpreter:
    """The interpreter that runs Reverie."""
    site_packages = tuple(
        path
        for path in sys.path
        if os.path.basename(path) in ("site-packages", "dist-packages") and os.path.isdir(path)
    )
    prefixes = (sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix)
    folders = tuple(dict.fromkeys((*prefixes, *site_packages)))
    binary = os.path.realpath(sys.executable)
    return Interpreter(sys.executable, binary, sys.prefix, folders, site_packages)


def interpreter_at(path: str) -> Interpreter:
    """The interpreter of a virtual environment or installation, read without running it."""
    binary = os.path.realpath(path)
    base = os.path.dirname(os.path.dirname(binary))
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(path)))
    is_environment = os.path.isfile(os.path.join(prefix, "pyvenv.cfg"))
    if not is_environment:
        prefix = base
    if base == "/" or prefix == "/":
        raise PolicyError(f"interpreter {path!r} has no prefix of its own")
    packages = sorted(Path(prefix, "lib").glob("python3*/site-packages"))
    own = Path(prefix, "lib", os.path.basename(binary), "site-packages")
    if own in packages:
        packages = [own]  # a prefix can be shared by several versions
    site_packages = tuple(str(folder) for folder in packages)
    return Interpreter(os.path.abspath(path), binary, prefix, (base, prefix), site_packages)


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment in a repository."""

    name: str
    python: str
    problem: str | None
    """Why it is not to be used unless somebody names it."""

    @property
    def has_pytest(self) -> bool:
        """Whether tests can be run in it."""
        packages = interpreter_at(self.python).site_packages
        return any(os.path.isdir(os.path.join(each, "pytest")) for each in packages)


def environment_in(repository: Path) -> Environment | None:
    """The virtual environment that a repository has, after a look at what it is."""
    for name in _ENVIRONMENTS:
        folder = Path(os.path.abspath(repository), name)
        python = folder / "bin" / "python"
        if os.path.lexists(python):
            return Environment(name, str(python), _find_problem(folder, python, repository))
    return None


def environment_at(folder: Path, repository: Path) -> Environment:
    """An environment that a variable or a tool names; below the repository, after a look at it."""
    folder = Path(os.path.abspath(folder))
    python = folder / "bin" / "python"
    is_inside = _is_below(os.path.realpath(folder), os.path.realpath(repository))
    if is_inside or _is_below(str(folder), os.path.abspath(repository)):
        return Environment(folder.name, str(python), _find_problem(folder, python, repository))
    problem = None if os.path.isfile(os.path.realpath(python)) else "leads nowhere"
    return Environment(folder.name, str(python), problem)


@dataclass(frozen=True, slots=True)
class Choice:
    """The interpreter for a repository's code, and what there is to say about that."""

    python: str | None
    """None: the one that runs Reverie."""
    note: str | None = None


def choose(repository: Path, given: str | None, *, needs_pytest: bool = True) -> Choice | None:
    """The one that was named, or the repository's own; None when there is neither."""
    if given is not None:
        return Choice(os.path.abspath(given))
    found = environment_in(repository)
    if found is None:
        return None
    instead = f"running with {own_interpreter().executable}"
    if found.problem is not None:
        note = f"{found.name}/bin/python {found.problem}: {instead}, unless --python names it"
        return Choice(None, note)
    if needs_pytest and not found.has_pytest:
        return Choice(None, f"{found.name} has no pytest: {instead}")
    return Choice(found.python)


def _find_problem(folder: Path, python: Path, repository: Path) -> str | None:
    binary = os.path.realpath(python)
    if not os.path.isfile(binary):
        return "leads nowhere"
    if _comes_with(repository, folder):
        return "came with the repository"
    for root in {os.path.realpath(repository), os.path.realpath(folder)}:
        if _is_below(binary, root):
            return "is a program of the repository"
    if not _NAME.fullmatch(os.path.basename(binary)) or not any(
        _is_below(binary, root) for root in _known_roots()
    ):
        return f"leads to {binary}, which is no known interpreter"
    status = os.stat(binary)
    if status.st_uid not in (0, os.getuid()) or status.st_mode & stat.S_IWOTH:
        return f"leads to {binary}, which others can change"
    return _find_contradiction(folder, binary)


def _comes_with(repository: Path, folder: Path) -> bool:
    """Whether an environment was not made here: git knows it, or it is a link to a folder."""
    home, real = os.path.realpath(repository), os.path.realpath(folder)
    if os.path.islink(folder) and _is_below(real, home):
        return True
    if os.path.lexists(folder / ".git"):  # a submodule
        return True
    marks = [f"{folder.name}/{each}\0".encode() for each in ("pyvenv.cfg", "bin/python")]
    index = _read_index(Path(home))
    return any(mark in index for mark in marks)


def _read_index(home: Path) -> bytes:
    """The list of files that git keeps, in which names stand as they are; empty without one."""
    for folder in (home, *home.parents):
        git = folder / ".git"
        try:
            if git.is_file():
                text = git.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
                git = folder / text
            with open(git / "index", "rb") as file:
                return file.read(_INDEX_BYTES)
        except OSError:
            continue
    return b""


def _find_contradiction(folder: Path, binary: str) -> str | None:
    """An environment that was made from this interpreter says so itself."""
    try:
        with open(folder / "pyvenv.cfg", encoding="utf-8", errors="replace") as file:
            lines = file.read(_CONFIGURATION_BYTES).splitlines()
    except OSError:
        return "has no pyvenv.cfg"
    pairs = (line.partition("=") for line in lines)
    found = {key.strip().lower(): value.strip() for key, _, value in pairs}
    if os.path.realpath(found.get("home", "")) != os.path.dirname(binary):
        return "has a pyvenv.cfg of another interpreter"
    if any(
        not _is_below(os.path.realpath(each), os.path.realpath(folder))
        for each in interpreter_at(str(folder / "bin" / "python")).site_packages
    ):
        return "has packages that lie elsewhere"
    said = _VERSION.match(found.get("version_info") or found.get("version") or "")
    really = _VERSION.search(os.path.basename(binary))
    if said and really and said[0] != really[0]:
        return "has a pyvenv.cfg of another version"
    return None


def _known_roots() -> Iterator[str]:
    """Where this machine and its user keep interpreters: system, pyenv, uv, conda, our own."""
    home = os.path.expanduser("~")
    data = os.environ.get("XDG_DATA_HOME", f"{home}/.local/share")
    yield from ("/usr", "/opt", os.path.realpath(sys.base_prefix))
    yield os.path.realpath(os.environ.get("PYENV_ROOT", f"{home}/.pyenv")) + "/versions"
    yield os.path.realpath(os.environ.get("UV_PYTHON_INSTALL_DIR", f"{data}/uv/python"))
    for name in ("CONDA_PREFIX", "MAMBA_ROOT_PREFIX"):
        if os.environ.get(name):
            yield os.path.realpath(os.environ[name])
    for name in ("miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba"):
        yield os.path.realpath(f"{home}/{name}")


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")
