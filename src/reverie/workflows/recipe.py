"""How a callable gets into a fresh interpreter: by the name of its module, or by its source.

Never as a pickle: nothing that was made inside is ever loaded here, and nothing that lives
here is carried inside but text and plain values.
"""

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from reverie.errors import UsageError
from reverie.sandbox.entry import find_entry
from reverie.workflows.places import Place, check_root, find_module, place_of
from reverie.workflows.sources import Ingredients, gather

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
