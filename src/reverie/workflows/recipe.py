"""Recipes: how a callable gets into a fresh interpreter, by its module's name or by its source.

Never as a pickle: nothing that was made inside is ever loaded here, and nothing that lives
here is carried inside but text and plain values. A function as text brings everything its text
refers to. Where a module lives is found without importing it, with what must be shown to import it
inside.
"""

import __future__

import ast
import builtins
import inspect
import math
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from os import PathLike
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from reverie.errors import PolicyError, UsageError
from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.encode import find_entry
from reverie.sandbox.interpreters import own_interpreter
from reverie.sandbox.policy import check_policy
from reverie.syntax.parsing import parse_module


@dataclass(frozen=True, slots=True)
class Place:
    """A module as it is imported inside."""

    module: str
    root: str | None
    """Folder to show and to import from; None: it comes with the interpreter."""
    file: str | None = None
    """Given when the name alone does not lead to the file."""


def search_roots(repository: str | PathLike[str] | None) -> tuple[str, ...]:
    """Where modules are looked for: the repository and its `src`, or else our own import path."""
    if repository is None:
        return tuple(dict.fromkeys(os.path.abspath(path) for path in sys.path))
    folder = Path(repository).absolute()
    if not folder.is_dir():
        raise UsageError(f"the repository {str(repository)!r} is not a folder")
    return tuple(str(path) for path in (folder / "src", folder) if path.is_dir())


def find_module(name: str, roots: Iterable[str]) -> Place:
    """The place of a module by its dotted name; nothing is imported."""
    relative = Path(*name.split("."))
    for root in roots:
        path = Path(root) / relative
        if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
            return Place(name, None if _comes_with_interpreter(root) else root)
    if name.partition(".")[0] in sys.stdlib_module_names or _is_installed(relative):
        return Place(name, None)
    raise UsageError(f"no module {name!r} in the repository or on the import path")


def place_of(module: ModuleType) -> Place | None:
    """The place of a module that is imported here; None when it has no file."""
    file = getattr(module, "__file__", None)
    if file is None or not file.endswith(".py"):
        return None
    path = Path(file).absolute()
    named = path.parent if path.name == "__init__.py" else path.with_suffix("")
    parts = module.__name__.split(".")
    if list(named.parts[-len(parts) :]) != parts:
        return Place(path.stem, str(path.parent), str(path))
    root = str(named.parents[len(parts) - 1])
    return Place(module.__name__, None if _comes_with_interpreter(root) else root)


def check_root(root: str, who: str) -> None:
    """Raise `PolicyError` when a module lies in a folder that is too wide to show."""
    try:
        check_policy(Policy(readonly=(root,)), IsolationTier.NAMESPACES)
    except PolicyError as error:
        raise PolicyError(
            f"{who}: {error}; its module has to lie in a folder of its own, because the folder "
            "it is imported from is shown read-only"
        ) from error


def _comes_with_interpreter(root: str) -> bool:
    folders = own_interpreter().folders
    return any(root == folder or root.startswith(f"{folder}/") for folder in folders)


def _is_installed(relative: Path) -> bool:
    return any(
        (Path(folder) / relative).is_dir() or (Path(folder) / relative).with_suffix(".py").is_file()
        for folder in own_interpreter().site_packages
    )


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
        tree = parse_module(source)
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


_BY_NAME = re.compile(r"(?P<module>\w+(?:\.\w+)*):(?P<attribute>\w+(?:\.\w+)*)")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything needed to make one callable inside."""

    name: str
    """The callable's own name; for `module:callable`, the whole."""
    place: Place | None = None
    attribute: str = ""
    ingredients: Ingredients = field(default_factory=Ingredients)

    @property
    def roots(self) -> tuple[str, ...]:
        """Folders that have to be shown and put on the import path."""
        places = (self.place, self.ingredients.scope, *self.ingredients.places)
        roots = [each.root for each in places if each is not None and each.root is not None]
        return tuple(dict.fromkeys(roots))

    def document(self) -> dict[str, Any]:
        """The recipe as `inside/step.py` reads it."""
        made = self.ingredients
        return {
            "name": self.name.rpartition(":")[2].rpartition(".")[2],
            "place": None if self.place is None else _document(self.place, self.attribute),
            "scope": None if made.scope is None else _document(made.scope, ""),
            "imports": {name: _document(at, what) for name, (at, what) in made.imports.items()},
            "values": dict(made.values),
            "sources": [list(source) for source in made.sources],
        }


def recipe_for(
    target: Callable[..., Any] | str, roots: Sequence[str], *, allow_source: bool = False
) -> Recipe:
    """The recipe of a callable or a `module:callable`; `UsageError` names one that has none."""
    recipe = _from_text(target, roots, allow_source) if isinstance(target, str) else _live(target)
    for root in recipe.roots:
        check_root(root, recipe.name)
    return recipe


def _from_text(text: str, roots: Sequence[str], allow_source: bool) -> Recipe:
    named = _BY_NAME.fullmatch(text.strip())
    if named is not None:
        place = find_module(named["module"], roots)
        return Recipe(text.strip(), place, named["attribute"])
    entry = find_entry(text, ("root",)) if allow_source else None
    if entry is None:
        wanted = "module:callable or source with a function" if allow_source else "module:callable"
        raise UsageError(f"expected {wanted}, not {text!r:.80}")
    return Recipe(entry, ingredients=Ingredients(sources=((text, 0),)))


def _live(target: Callable[..., Any]) -> Recipe:
    """By source where that stands alone, which shows nothing; else by the name of its module."""
    qualname = getattr(target, "__qualname__", None)
    module = sys.modules.get(getattr(target, "__module__", None) or "")
    if qualname is None or module is None or not _has_source(target):
        raise UsageError(
            f"{target!r:.80} cannot be taken into the sandbox: "
            "give a function that has a Python source, or module:callable"
        )
    if "<lambda>" in qualname:
        raise UsageError(f"{qualname} has no source of its own: write it with def")
    place = place_of(module)
    is_reachable = place is not None and _is_reachable(module, qualname, target)
    if inspect.isfunction(target):
        try:
            made = gather(target, place)
        except UsageError:
            if not is_reachable:
                raise
        else:
            if made.scope is None or not is_reachable:
                return Recipe(target.__name__, ingredients=made)
    if not is_reachable:
        raise UsageError(f"{qualname} cannot be imported by name, and only functions have a source")
    return Recipe(_short(qualname), place, qualname)


def _has_source(target: Callable[..., Any]) -> bool:
    is_class_method = inspect.ismethod(target) and inspect.isclass(target.__self__)
    return inspect.isfunction(target) or inspect.isclass(target) or is_class_method


def _is_reachable(module: object, qualname: str, target: object) -> bool:
    found = module
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return found is target or (inspect.ismethod(found) and found == target)


def _short(qualname: str) -> str:
    return qualname.rpartition(".")[2]


def _document(place: Place, attribute: str) -> dict[str, Any]:
    return {**asdict(place), "attribute": attribute}
