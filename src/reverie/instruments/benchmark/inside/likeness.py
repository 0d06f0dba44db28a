"""Do two processes hold the same values? Cheaply at first, and thoroughly where that says no."""

import hashlib
import marshal
import math
from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Any

_ITEMS = 10_000
_TEXT_CHARACTERS = 120
_TEXT_TYPES = (bool, int, str, bytes, complex, type(None), type(Ellipsis), range, slice)


class _Raised:
    """What a call raised, in the place of what it returned."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __repr__(self) -> str:
        return f"raised {type(self.error).__name__}: {self.error}"


def _quick_digest(values: Any) -> "str | None":
    """Equal digests are equal values; unequal ones may only be ordered differently inside."""
    try:
        # Version 0 neither shares references nor marks interned strings: the value alone counts.
        return hashlib.sha256(marshal.dumps(values, 0)).hexdigest()
    except (ValueError, RecursionError):
        return None


def _thorough_digest(value: Any) -> str:
    """The same for values that `==` would call equal, of classes with the same name."""
    try:
        text = _structure(value, ())
    except RecursionError:
        text = f"too deep: {type(value).__qualname__}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _structure(value: Any, outer: "tuple[int, ...]") -> str:
    kind, name = type(value), type(value).__qualname__
    if kind in _TEXT_TYPES:
        return f"{name}:{value!r}"
    if kind is float:
        return "float:nan" if math.isnan(value) else f"float:{value + 0.0!r}"
    if id(value) in outer:
        return f"cycle:{outer.index(id(value))}"
    outer = (*outer, id(value))
    if kind in (list, tuple, deque):
        return f"{name}[{_joined(value, outer)}]"
    if kind in (set, frozenset):
        return f"{name}[{','.join(sorted(_structure(item, outer) for item in value))}]"
    if kind is dict:
        return f"dict[{_sorted_pairs(value.items(), outer)}]"
    if kind is _Raised:
        # Where the stack came to its end is told in its words, and is nobody's promise.
        args = () if type(value.error) is RecursionError else value.error.args
        return f"raised:{type(value.error).__qualname__}[{_joined(args, outer)}]"
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return f"{name}:{value.__qualname__}"
    if hasattr(value, "__next__"):
        return f"iterator[{_joined(islice(value, _ITEMS), outer)}]"
    return _reduced(value, name, outer)


def _reduced(value: Any, name: str, outer: "tuple[int, ...]") -> str:
    """Any other object: by what its copy would be made from."""
    try:
        parts = value.__reduce_ex__(4)
    except Exception:  # noqa: BLE001  whatever it raises, the type alone is compared then
        return f"opaque:{name}"
    if isinstance(parts, str):
        return f"{name}:{parts}"
    made, arguments, state, items, pairs = (*parts, None, None, None)[:5]
    text = f"{name}:{_structure(made, outer)}[{_joined(arguments, outer)}]"
    text += f"{_structure(state, outer)}[{_joined(items or (), outer)}]"
    return f"{text}[{_sorted_pairs(pairs or (), outer)}]"


def _joined(items: "Iterable[Any]", outer: "tuple[int, ...]") -> str:
    return ",".join(_structure(item, outer) for item in items)


def _sorted_pairs(pairs: "Iterable[tuple[Any, Any]]", outer: "tuple[int, ...]") -> str:
    return ",".join(
        sorted(f"{_structure(key, outer)}={_structure(item, outer)}" for key, item in pairs)
    )


def _short_text(value: Any) -> str:
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001  a `repr` of the code under test
        text = f"<{type(value).__qualname__}: {type(error).__name__}>"
    cut = text if len(text) <= _TEXT_CHARACTERS else f"{text[:_TEXT_CHARACTERS]}…"
    return cut.encode("utf-8", "replace").decode()
