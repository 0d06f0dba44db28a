"""A function as text, with everything its text refers to."""

import __future__

import ast
import builtins
import inspect
import math
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

from reverie.errors import UsageError
from reverie.workflows.places import Place, place_of

_LITERALS = (bool, int, str, bytes, type(None))
Import = tuple[Place, str]


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What a function made from source needs around it."""

    sources: tuple[tuple[str, int], ...] = ()
    """Texts with their compiler flags, what is needed first."""
    scope: Place | None = None
    """A module whose names the source can see."""
    imports: Mapping[str, Import] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    """Literals, as Python writes them."""

    @property
    def places(self) -> tuple[Place, ...]:
        """Modules that are imported by name."""
        return tuple(place for place, _ in self.imports.values())


def gather(function: FunctionType, place: Place | None) -> Ingredients:
    """A function's source and whatever its names stand for; `UsageError` when one cannot travel."""
    gathering = _Gathering(place)
    gathering.add(function)
    return Ingredients(
        tuple(gathering.sources.values()),
        place if gathering.uses_scope else None,
        gathering.imports,
        gathering.values,
    )


class _Gathering:
    """Walks from a function to the functions it names."""

    def __init__(self, place: Place | None) -> None:
        self.place = place
        self.uses_scope = False
        self.sources: dict[str, tuple[str, int]] = {}
        self.imports: dict[str, Import] = {}
        self.values: dict[str, str] = {}
        self._begun: set[int] = set()

    def add(self, function: FunctionType) -> None:
        """Take a function in, after what it names."""
        self._begun.add(id(function))
        source, names, is_relative = _read(function)
        self.uses_scope = self.uses_scope or is_relative
        for name, value in self._free(function, names):
            self._take(name, value, function.__qualname__)
        flags = function.__code__.co_flags & __future__.annotations.compiler_flag
        self.sources[function.__name__] = (source, flags)

    def _free(self, function: FunctionType, names: set[str]) -> Iterator[tuple[str, Any]]:
        """What the names of a function mean where it was made."""
        enclosed = dict(_enclosed(function))
        yield from enclosed.items()
        needed = {name for name in names if name in function.__globals__} - enclosed.keys()
        if self.place is not None:
            self.uses_scope = self.uses_scope or bool(needed)
            return
        for name in sorted(needed):
            yield name, function.__globals__[name]

    def _take(self, name: str, value: Any, who: str) -> None:
        if id(value) in self._begun or getattr(builtins, name, self) is value:
            return
        if isinstance(value, ModuleType):
            self.imports[name] = (_importable(value, name, who), "")
        elif _is_literal(value):
            self.values[name] = repr(value)
        elif isinstance(value, FunctionType) and value.__name__ == name and not _is_named(value):
            self.add(value)
        elif _is_named(value):
            module = sys.modules[value.__module__]
            self.imports[name] = (_importable(module, name, who), value.__qualname__)
        else:
            kind = type(value).__name__
            raise UsageError(f"{who} uses {name!r}, a {kind}: it cannot be taken into the sandbox")


def _read(function: FunctionType) -> tuple[str, set[str], bool]:
    """The source of a function alone, every name in it, and whether it imports relatively."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError) as error:
        raise UsageError(f"the source of {function.__qualname__} cannot be had: {error}") from error
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    is_relative = any(isinstance(node, ast.ImportFrom) and node.level for node in nodes)
    return source, names, is_relative


def _enclosed(function: FunctionType) -> Iterator[tuple[str, Any]]:
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        try:
            yield name, cell.cell_contents
        except ValueError:
            continue  # not assigned yet; inside it will be as undefined as here


def _importable(module: ModuleType, name: str, who: str) -> Place:
    place = place_of(module)
    if place is None and module.__name__.partition(".")[0] in sys.stdlib_module_names:
        place = Place(module.__name__, None)
    if place is None or module.__name__ == "__main__":
        raise UsageError(f"{who} uses {name!r} of {module.__name__}, which has no file to import")
    return place


def _is_named(value: Any) -> bool:
    """Whether an import statement reaches the value."""
    qualname, module = getattr(value, "__qualname__", None), getattr(value, "__module__", None)
    if not isinstance(qualname, str) or not isinstance(module, str) or module == "__main__":
        return False
    found: Any = sys.modules.get(module)
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return found is value


def _is_literal(value: Any) -> bool:
    """Whether Python reads back from the value's text what it wrote there."""
    kind = type(value)
    if kind is float:
        return math.isfinite(value)
    if kind in (list, tuple, set):
        return (kind is not set or bool(value)) and all(_is_literal(item) for item in value)
    if kind is dict:
        return all(_is_literal(key) and _is_literal(item) for key, item in value.items())
    return kind in _LITERALS
