"""Interpreters that this machine has, and environments that people made for a repository.

Nothing is run to find them: names, links and `pyvenv.cfg` say what they are.
"""

from __future__ import annotations

import base64
import glob
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.specifiers import SpecifierSet

from reverie.sandbox.interpreters import (
    environment_at,
    environment_in,
    interpreter_at,
    own_interpreter,
)

OLDEST, NEWEST = (3, 9), (3, 14)
IMPROVED, RUN = (3, 11), (3, 10)
"""The oldest versions whose code is improved, and whose code is run at all."""
_BINARY = re.compile(r"python(3)\.(\d+)")
_ELF = b"\x7fELF"


@dataclass(frozen=True, slots=True)
class BasePython:
    """An interpreter to make environments from."""

    binary: str
    version: str
    """As `3.12`."""

    @property
    def numbers(self) -> tuple[int, int]:
        """Its version, to be compared."""
        major, minor = self.version.split(".")
        return int(major), int(minor)


@dataclass(frozen=True, slots=True)
class FoundEnvironment:
    """An environment that somebody made, and how it came to be known."""

    python: str
    origin: str
    problem: str | None = None
    """Why it is not to be used unless somebody names it."""


def version_of(python: str) -> str:
    """The version of an interpreter by the name of its binary, else by its library folder."""
    found = _BINARY.search(os.path.basename(os.path.realpath(python)))
    if found is None:
        packages = "".join(interpreter_at(python).site_packages[:1])
        found = _BINARY.search(packages)
    return own_version() if found is None else f"{found[1]}.{found[2]}"


def own_version() -> str:
    """The version of Python that runs Reverie."""
    found = _BINARY.search(os.path.basename(own_interpreter().binary))
    if found is not None:
        return f"{found[1]}.{found[2]}"
    import sys

    return f"{sys.version_info.major}.{sys.version_info.minor}"


def fitting_pythons(requires: str | None, environ: Mapping[str, str]) -> list[BasePython]:
    """Interpreters that a project works with: the one that runs Reverie, then newest first."""
    allowed = SpecifierSet(requires or "", prereleases=True)
    found: dict[str, BasePython] = {}
    for each in pythons_at_hand(environ):
        is_known = OLDEST <= each.numbers <= NEWEST
        releases = (f"{each.version}.{last}" for last in (0, 99))
        if is_known and any(allowed.contains(release) for release in releases):
            found.setdefault(each.version, each)
    own = own_version()
    return sorted(found.values(), key=lambda each: (each.version != own, _descending(each)))


def reach_of(version: str) -> str:
    """What is done for code of a version of Python, in plain words."""
    major, minor = version.split(".")[:2]
    if (int(major), int(minor)) >= IMPROVED:
        return "improved"
    return "suites are run, nothing is improved" if (int(major), int(minor)) >= RUN else "not run"


def _descending(python: BasePython) -> tuple[int, int]:
    major, minor = python.numbers
    return -major, -minor


def pythons_at_hand(environ: Mapping[str, str]) -> Iterator[BasePython]:
    """Every interpreter that lies where interpreters lie, the one that runs Reverie first."""
    yield BasePython(own_interpreter().binary, own_version())
    for folder in _folders(environ):
        for path in _entries(folder, "python3.*"):
            binary = os.path.realpath(path)
            found = _BINARY.fullmatch(os.path.basename(binary))
            if found is not None and _is_program(binary):
                yield BasePython(binary, f"{found[1]}.{found[2]}")


def _folders(environ: Mapping[str, str]) -> Iterator[str]:
    home = environ.get("HOME") or os.path.expanduser("~")
    data = environ.get("XDG_DATA_HOME") or f"{home}/.local/share"
    yield from (each for each in environ.get("PATH", "").split(os.pathsep) if os.path.isabs(each))
    roots = (
        Path(environ.get("PYENV_ROOT") or f"{home}/.pyenv", "versions"),
        Path(environ.get("UV_PYTHON_INSTALL_DIR") or f"{data}/uv/python"),
    )
    for root in roots:
        yield from reversed(_entries(root, "*/bin"))


def _entries(folder: str | Path, pattern: str) -> list[str]:
    """What a folder holds, nothing where this user may not look (`Path.glob` raises there)."""
    return sorted(glob.glob(os.path.join(glob.escape(str(folder)), pattern)))


def _is_program(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == _ELF and os.access(path, os.X_OK)
    except OSError:
        return False


def environments_for(
    repository: Path, name: str | None, environ: Mapping[str, str]
) -> Iterator[FoundEnvironment]:
    """Environments that belong to a repository, in the order in which they are asked."""
    named = environ.get("VIRTUAL_ENV", "")
    if os.path.isabs(named):
        yield from _at(repository, Path(named), "VIRTUAL_ENV")
    if environ.get("UV_PROJECT_ENVIRONMENT"):  # from the project on
        folder = repository / environ["UV_PROJECT_ENVIRONMENT"]
        yield from _at(repository, folder, "UV_PROJECT_ENVIRONMENT")
    inside = environment_in(repository)
    if inside is not None:
        yield FoundEnvironment(inside.python, inside.name, inside.problem)
    conda = environ.get("CONDA_PREFIX", "")
    if os.path.isabs(conda) and environ.get("CONDA_DEFAULT_ENV") != "base":
        yield from _at(repository, Path(conda), "CONDA_PREFIX")
    for origin, folder in _tool_environments(repository, name, environ):
        yield from _at(repository, folder, origin)


def _at(repository: Path, folder: Path, origin: str) -> Iterator[FoundEnvironment]:
    python = folder / "bin" / "python"
    if os.path.lexists(python):
        found = environment_at(folder, repository)
        yield FoundEnvironment(found.python, origin, found.problem)


def _tool_environments(
    repository: Path, name: str | None, environ: Mapping[str, str]
) -> Iterator[tuple[str, Path]]:
    """Where poetry, pdm and hatch keep the environments of a folder."""
    home = environ.get("HOME") or os.path.expanduser("~")
    cache = environ.get("XDG_CACHE_HOME") or f"{home}/.cache"
    data = environ.get("XDG_DATA_HOME") or f"{home}/.local/share"
    place = os.path.realpath(repository)
    known = hashlib.md5(os.fsencode(place), usedforsecurity=False).digest()
    word = base64.urlsafe_b64encode(known).decode()[:8]
    start = glob.escape(f"{os.path.basename(place)}-{word}-")
    for folder in reversed(_entries(Path(data, "pdm", "venvs"), f"{start}*")):
        yield "pdm", Path(folder)
    if name is None:
        return
    digest = hashlib.sha256(os.fsencode(os.path.normcase(place))).digest()
    word = base64.urlsafe_b64encode(digest).decode()[:8]
    plain = re.sub(r'[ $`!*@"\\\r\n\t]', "_", name.lower())[:42]
    poetry = Path(environ.get("POETRY_VIRTUALENVS_PATH") or f"{cache}/pypoetry/virtualenvs")
    for folder in reversed(_entries(poetry, f"{glob.escape(plain)}-{word}-py*")):
        yield "poetry", Path(folder)
    for folder in _entries(Path(data, "hatch", "env", "virtual", plain, word), "*"):
        yield "hatch", Path(folder)
