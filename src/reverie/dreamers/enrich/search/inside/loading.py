"""Importing the module under test, with probes or as it is."""

import ast
import builtins
import importlib
import importlib.abc
import importlib.machinery
import signal
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import Any

from .probes import Way, probed
from .recording import Recorder

_IMPORT_SECONDS = 40.0
_MOST_TOLD = 300


class Unimportable(Exception):
    """The module cannot be had, by its own doing."""


def load_plain(name: str, paths: Sequence[str]) -> ModuleType:
    """The module as it is; `Unimportable` when there is none."""
    _prepare(paths)
    return _imported(name)


def load_probed(
    name: str, paths: Sequence[str], recorder: Recorder
) -> "tuple[ModuleType, dict[int, Way]]":
    """The module with probes, and where its ways lie; `Unimportable` when there is none."""
    _prepare(paths)
    for each in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
        del sys.modules[each]
    for probe, function in recorder.functions().items():
        setattr(builtins, probe, function)
    finder = _Finder(name)
    sys.meta_path.insert(0, finder)
    try:
        module = _imported(name)
    finally:
        sys.meta_path.remove(finder)
    return module, finder.ways


def _imported(name: str) -> ModuleType:
    """A script may leave instead of being imported, or never end: nothing but its import fails."""
    before = signal.signal(signal.SIGALRM, _out_of_time)
    signal.setitimer(signal.ITIMER_REAL, _IMPORT_SECONDS)
    try:
        return importlib.import_module(name)
    except BaseException as error:  # noqa: BLE001  whatever the module does
        raise Unimportable(_told(error)) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _out_of_time(*_: Any) -> None:
    raise TimeoutError(f"not imported within {_IMPORT_SECONDS:g} seconds")


def _told(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:_MOST_TOLD]
    except Exception:  # noqa: BLE001  of the code under test
        return type(error).__name__


def _prepare(paths: Sequence[str]) -> None:
    sys.dont_write_bytecode = True
    sys.path[:0] = [each for each in paths if each not in sys.path]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, and has it compiled with probes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ways: dict[int, Way] = {}

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self.ways)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, ways: "dict[int, Way]") -> None:
        super().__init__(name, path)
        self.ways = ways

    def get_code(self, fullname: str) -> "CodeType | None":
        path = self.get_filename(fullname)
        tree, ways = probed(ast.parse(self.get_data(path), path))
        self.ways.update(ways)
        return compile(tree, path, "exec", dont_inherit=True)
