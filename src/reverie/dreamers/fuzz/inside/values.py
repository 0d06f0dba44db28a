"""Values of annotated types: what fits, what is plain, what is in order."""

import datetime
import types
import typing
from typing import Any

from reverie.dreamers.enrich.search.inside.nodes import CONST, DISPLAYS, Node

UNKNOWN = object()
_DOCUMENTED: "dict[str, Any]" = {
    each.__name__: each
    for each in (int, float, str, bool, bytes, list, tuple, dict, set, datetime.datetime)
}


def documented_hint(text: str) -> Any:
    """The type that an annotation in documentation stands for: of a few plain ones."""
    outer, _, inner = text.rstrip("]").partition("[")
    kind = _DOCUMENTED[outer]
    if not inner:
        return kind
    item = _DOCUMENTED[inner.partition(",")[0]]
    return tuple[item, ...] if kind is tuple else kind[item]  # type: ignore[valid-type]


def plain_value(node: Node) -> Any:
    """The value of what is made of literals alone."""
    if node.kind == CONST:
        return node.value
    if node.kind not in DISPLAYS:
        return UNKNOWN
    made = [plain_value(each) for each in node.items]
    if any(each is UNKNOWN for each in made):
        return UNKNOWN
    try:
        if node.kind == "dict":
            return dict(zip(made[::2], made[1::2]))  # noqa: B905  in turn
        return {"list": list, "tuple": tuple, "set": set}[node.kind](made)
    except TypeError:
        return UNKNOWN


def sorted_display(node: Node) -> Node:
    """A list of literals in ascending order, when it has one."""
    if node.kind not in ("list", "tuple"):
        return node
    try:
        items = sorted(node.items, key=plain_value)
    except TypeError:
        return node
    return node.with_items(tuple(items))


def clean(text: str) -> str:
    """A text that every encoding has a place for."""
    return text.encode("utf-8", "ignore").decode("utf-8")


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of an annotated type, as its author would mean it."""
    origin, given = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or isinstance(hint, typing.TypeVar):
        return True
    if origin is typing.Union or origin is types.UnionType:
        return any(fits(value, each) for each in given)
    if origin is typing.Literal:
        return value in given
    if origin is typing.Annotated:
        return fits(value, given[0])
    if hint is None or hint is type(None):
        return value is None
    if hint is float:
        return type(value) in (int, float)
    kind = origin or hint
    if not isinstance(kind, type):
        return True
    if kind is int:
        return type(value) is int
    try:
        if not isinstance(value, kind):
            return False
    except TypeError:
        return True
    return _items_fit(value, kind, given)


def _items_fit(value: Any, kind: Any, given: "tuple[Any, ...]") -> bool:
    if not given or isinstance(value, (str, bytes)):
        return not (isinstance(value, (str, bytes)) and kind not in (str, bytes, object) and given)
    if isinstance(value, dict):
        return all(fits(key, given[0]) and fits(item, given[-1]) for key, item in value.items())
    if (
        isinstance(value, tuple)
        and not (len(given) == 2 and given[1] is Ellipsis)
        and kind is tuple
    ):
        return len(value) == len(given) and all(map(fits, value, given))
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(fits(each, given[0]) for each in value)
    return True


def is_plain_hint(hint: Any) -> bool:
    """Whether values of a type are literals."""
    return hint in (int, float, str, bool, bytes)
