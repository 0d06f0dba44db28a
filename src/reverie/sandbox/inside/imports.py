"""Where the target's modules come from: worked out in the zygote, in force only in executions.

The zygote answers for every execution, so it runs no line of the repository. It imports from
the standard library and from folders of installed packages, never from an import path, nor
from where a `.pth` file leads. All of that is set in the fork that becomes an execution.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_INSTALLED_ONLY = ("pytest",)
"""A runner of tests that the repository brings itself could say what it likes."""
_WORD_BYTES = 4096
_PTH_CHARACTERS = 1 << 20
_Lines = list[str]


class Imports:
    """The target's import path, and what is to be loaded from it."""

    def __init__(self, config: "dict[str, Any]") -> None:
        self._standard = [path for path in sys.path if path and path != config["own_code"]]
        self._installed = [*config["site_packages"], *config["installed_paths"]]
        folders, self._scripts = _read_sites(config["site_packages"])
        self._path = list(dict.fromkeys([*config["import_paths"], *self._standard, *folders]))
        self._own_paths: list[str] = config["import_paths"]
        self.finders = list(sys.meta_path)
        """What an execution imports with."""
        self.is_plain = False
        """Whether to have the finders is all that an execution needs."""
        self._replaced: list[str] = []
        self._wanted: list[str] = config["preload"]
        self._late: list[str] = []
        self._runs_scripts = config["own_packages"]
        sys.path[:] = self._standard
        sys.dont_write_bytecode = True
        sys.executable = config["executable"]
        sys.prefix = sys.exec_prefix = config["prefix"]
        sys.argv = [""]

    def preload(self) -> None:
        """Load what is installed here; make sure that the rest can be loaded in a fork."""
        sys.path[:] = [*self._standard, *self._installed]
        if self._runs_scripts:  # Reverie itself has been started with them
            _run(self._scripts)
            self._scripts = []
        finders, sys.meta_path[:] = list(sys.meta_path), self.finders
        known = set(sys.modules)
        for name in self._wanted:
            self._load(name)
        if "_pytest.config" in sys.modules:  # what every run of it begins with
            for name in sys.modules["_pytest.config"].default_plugins:
                importlib.import_module(f"_pytest.{name}")
        self._replaced = self._find_replaced(set(sys.modules) - known)
        self.finders = [*finders, *(each for each in sys.meta_path if each not in self.finders)]
        self.is_plain = not (self._scripts or self._late or self._replaced)
        sys.path = self._path
        # Looks into its folders, so that no execution has to; runs nothing.
        PathFinder.find_spec(".", self._own_paths)
        if self._late:
            self._rehearse()
        # From here on the zygote finds the standard library only, whatever is on the path.
        sys.meta_path = [BuiltinImporter, FrozenImporter, _Standard(self._standard)]

    def enter(self) -> None:
        """In a fork that `is_plain` does not describe: load what is the target's own."""
        sys.meta_path = self.finders
        if self._scripts:
            _run(self._scripts)
        for name in self._late:
            if name in _INSTALLED_ONLY:
                sys.path = [*self._standard, *self._installed, *self._path]
            importlib.import_module(name)
            sys.path = self._path
        for name in self._replaced:
            sys.modules.pop(name, None)

    def _load(self, name: str) -> None:
        if not self._is_installed(name):
            if name in _INSTALLED_ONLY:
                raise ModuleNotFoundError(f"No module named {name!r} is installed there")
            self._late.append(name)
            return
        try:
            importlib.import_module(name)
        except ImportError:  # it may need what only the target's own path has
            self._late.append(name)

    def _is_installed(self, name: str) -> bool:
        top = name.partition(".")[0]
        if top in sys.modules or PathFinder.find_spec(top, sys.path) is not None:
            return True
        return any(each.find_spec(top) is not None for each in (BuiltinImporter, FrozenImporter))

    def _find_replaced(self, loaded: "set[str]") -> "list[str]":
        """Modules that were loaded as installed and that the repository has itself.

        Its code means its own; who runs its tests goes on with what is installed.
        """
        tops = {name.partition(".")[0] for name in loaded} - {*_INSTALLED_ONLY, "_pytest"}
        tops -= getattr(sys, "stdlib_module_names", frozenset(sys.builtin_module_names))
        specs = {top: PathFinder.find_spec(top, self._own_paths) for top in tops}
        own = {top for top, spec in specs.items() if spec is not None and spec.origin is not None}
        return [name for name in loaded if name.partition(".")[0] in own]

    def _rehearse(self) -> None:
        """Try the late ones in a fork that is thrown away; ImportError with its words."""
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            word = b"it ended without a word"
            try:
                self.enter()
                word = b""
            except BaseException as error:  # noqa: BLE001  any module may raise anything
                word = f"{type(error).__name__}: {error}".encode(errors="replace")
            finally:
                os.write(writing, b"." + word[: _WORD_BYTES - 1])
                os._exit(0)
        os.close(writing)
        word = os.read(reading, _WORD_BYTES)
        os.close(reading)
        os.waitpid(pid, 0)
        if word != b".":
            raise ImportError(word[1:].decode(errors="replace") or "it ended without a word")


class _Standard:
    """Finds modules in the folders of the standard library, and in packages from there."""

    def __init__(self, folders: "list[str]") -> None:
        self._folders = folders

    def find_spec(
        self, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """As a finder on `sys.meta_path` does."""
        return PathFinder.find_spec(name, self._folders if path is None else path, target)

    def invalidate_caches(self) -> None:
        """Nothing is kept here."""


def _read_sites(folders: "list[str]") -> "tuple[list[str], list[_Lines]]":
    """Folders of packages and where their `.pth` files lead; what these files want to run."""
    paths: list[str] = []
    scripts: list[_Lines] = []
    for folder in folders:
        paths.append(folder)
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue  # not there, or not to be seen from here
        for name in names:
            if name.endswith(".pth") and not name.startswith("."):
                leads, lines = _read_pth(folder, name)
                paths += leads
                scripts.append(lines)
    return paths, [lines for lines in scripts if lines]


def _read_pth(folder: str, name: str) -> "tuple[list[str], _Lines]":
    leads, lines = [], []
    try:
        with open(os.path.join(folder, name), encoding="utf-8-sig", errors="replace") as file:
            text = file.read(_PTH_CHARACTERS)
    except OSError:
        return [], []
    for line in text.splitlines():
        if line.startswith(("import ", "import\t")):
            lines.append(line)
        elif line.strip() and not line.startswith("#"):
            path = os.path.abspath(os.path.join(folder, line.rstrip()))
            if os.path.exists(path):
                leads.append(path)
    return leads, lines


def _run(scripts: "list[_Lines]") -> None:
    """As `site` does: a file that fails is left there, and the next one is tried."""
    for lines in scripts:
        try:
            for line in lines:
                exec(line, {})  # noqa: S102  inside the sandbox, as the interpreter itself would
        except Exception:  # noqa: BLE001  any module may raise anything
            continue
