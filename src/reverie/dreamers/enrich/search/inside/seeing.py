"""What a value is, as source that makes an equal one, or as facts that can be asserted of it."""

import datetime
import decimal
import enum
import fractions
import math
import sys
import types
from typing import Any

_LONGEST = 1200
_DEEPEST = 6
_MOST_PARTS = 8
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_ADDRESS = " at 0x"


class Viewer:
    """Looks at values; knows the names that a test could use."""

    def __init__(self, namespace: "dict[str, Any]") -> None:
        self.namespace = namespace

    def look(self, value: Any) -> "dict[str, Any]":
        """The literal of a value, or else its parts."""
        kind = type(value)
        seen: dict[str, Any] = {"type": f"{kind.__module__}.{kind.__qualname__}"}
        literal = self.literal(value)
        if literal is not None and len(literal) <= _LONGEST:
            seen["literal"] = literal
        else:
            seen["parts"] = self._parts(value)
        return seen

    def literal(self, value: Any, depth: int = 0) -> "str | None":
        """Source of an equal value of the same type; None where there is none."""
        kind = type(value)
        if kind in _PLAIN:
            return _plain(value)
        if depth > _DEEPEST:
            return None
        if kind in (list, tuple, set, frozenset):
            return self._items(value, depth)
        if kind is dict:
            pairs = [(self.literal(key, depth + 1), self.literal(each, depth + 1))
                     for key, each in value.items()]  # fmt: skip
            if any(None in pair for pair in pairs):
                return None
            return "{" + ", ".join(f"{key}: {each}" for key, each in pairs) + "}"
        return self._by_repr(value)

    def _items(self, value: Any, depth: int) -> "str | None":
        items = [self.literal(each, depth + 1) for each in value]
        if None in items:
            return None
        known = [each for each in items if each is not None]
        kind = type(value)
        if kind is list:
            return f"[{', '.join(known)}]"
        if kind is tuple:
            return f"({', '.join(known)}{',' if len(known) == 1 else ''})"
        text = f"{{{', '.join(sorted(known))}}}" if known else ""
        if kind is set:
            return text or "set()"
        return f"frozenset({text})"

    def _by_repr(self, value: Any) -> "str | None":
        """The text by which a value shows itself, when that makes an equal one."""
        kind = type(value)
        text: str | None
        if isinstance(value, enum.Enum):
            text = f"{kind.__name__}.{value.name}"
        elif kind.__module__ in ("decimal", "fractions", "collections", "uuid", "pathlib"):
            text = f"{kind.__module__}.{value!r}"
        elif isinstance(value, (type, types.BuiltinFunctionType)):
            text = value.__name__
        else:
            text = _text_of(repr, value)
        if not text or _ADDRESS in text or len(text) > _LONGEST:
            return None
        try:
            again = eval(text, dict(self.namespace))
            is_same = type(again) is kind and again == value and repr(again) == repr(value)
        except Exception:  # noqa: BLE001  a text of the code under test
            return None
        if is_same is not True or (again is value and not isinstance(value, (enum.Enum, type))):
            return None
        return text

    def _parts(self, value: Any) -> "dict[str, str]":
        found: dict[str, str] = {}
        for text, read in _READERS:
            got = _tried(read, value)
            if got is not None and type(got) in (*_PLAIN, list):
                self._put(found, text, got)
        for name in _attributes(value):
            if len(found) >= _MOST_PARTS:
                break
            got = _tried(lambda held, name=name: getattr(held, name), value)
            if got is not None and not callable(got):
                self._put(found, f"{{}}.{name}", got)
        return found

    def _put(self, found: "dict[str, str]", text: str, value: Any) -> None:
        literal = self.literal(value)
        if literal is not None and len(literal) <= 300 and _ADDRESS not in literal:
            found[text] = literal


def _str_of(value: Any) -> "str | None":
    return str(value) if _defines(value, "__str__") else None


def _repr_of(value: Any) -> "str | None":
    return repr(value) if _defines(value, "__repr__") else None


def _defines(value: Any, name: str) -> bool:
    return getattr(type(value), name) is not getattr(object, name)


def _len_of(value: Any) -> "int | None":
    return len(value) if hasattr(type(value), "__len__") else None


def _items_of(value: Any) -> "list[Any] | None":
    kind = type(value)
    if hasattr(kind, "__iter__") and hasattr(kind, "__len__") and len(value) < 50:
        return list(value)
    return None


_READERS: "tuple[tuple[str, Any], ...]" = (
    ("str({})", _str_of), ("repr({})", _repr_of), ("len({})", _len_of), ("list({})", _items_of),
)  # fmt: skip


def _attributes(value: Any) -> "list[str]":
    kind = type(value)
    home = str(kind.__module__).partition(".")[0]
    if isinstance(value, (type, types.FunctionType, types.ModuleType)):
        return []
    if home in sys.stdlib_module_names and home != "types":
        return []
    names = list(getattr(value, "__dict__", ()))
    for each in kind.__mro__:
        names += [name for name, held in vars(each).items()
                  if isinstance(held, (property, types.MemberDescriptorType))]  # fmt: skip
    return [name for name in dict.fromkeys(names) if not str(name).startswith("_")]


def _plain(value: Any) -> "str | None":
    if type(value) is float and not math.isfinite(value):
        return f"float({str(value)!r})" if not math.isnan(value) else None
    if type(value) is int and abs(value) >= 10**400:
        return None
    return repr(value)


def _text_of(read: Any, value: Any) -> "str | None":
    text = _tried(read, value)
    return text if type(text) is str else None


def _tried(read: Any, value: Any) -> Any:
    try:
        return read(value)
    except Exception:  # noqa: BLE001  of the code under test
        return None


NEEDED = (datetime, decimal, fractions)
"""Modules that literals are written with."""
