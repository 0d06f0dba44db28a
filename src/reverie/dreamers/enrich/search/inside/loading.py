"""Importing the module under test, with probes or as it is."""

import ast
import builtins
import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import Any

from .probes import Way, probed
from .recording import Recorder


def load_plain(name: str, paths: Sequence[str]) -> ModuleType:
    """The module as it is."""
    _prepare(paths)
    return importlib.import_module(name)


def load_probed(
    name: str, paths: Sequence[str], recorder: Recorder
) -> "tuple[ModuleType, dict[int, Way]]":
    """The module with probes, and where its ways lie."""
    _prepare(paths)
    for each in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
        del sys.modules[each]
    for probe, function in recorder.functions().items():
        setattr(builtins, probe, function)
    finder = _Finder(name)
    sys.meta_path.insert(0, finder)
    try:
        module = importlib.import_module(name)
    finally:
        sys.meta_path.remove(finder)
    return module, finder.ways


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
