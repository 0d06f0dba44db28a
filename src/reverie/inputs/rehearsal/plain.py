"""What a rehearsal knows of values: plain ones, instances of the code's classes, and nothing."""

import ast
import collections.abc
import datetime
import decimal
import pathlib
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.inputs.evaluate import NotMadeHere, evaluate
from reverie.inputs.scope import ClassRef
from reverie.model.call import Expression


class Unknown:
    """A value of which nothing is known; an `Opaque` one is at least not None."""

    def __repr__(self) -> str:
        return type(self).__name__


class Opaque(Unknown):
    """Something that is there."""


UNKNOWN = Unknown()
OPAQUE = Opaque()


@dataclass(eq=False, slots=True)
class Instance:
    """An instance of a class of the code; attributes that are not here are unknown."""

    found: ClassRef
    attributes: dict[str, Any] = field(default_factory=dict)


SCALARS: tuple[type, ...] = (type(None), bool, int, float, complex, str, bytes, range)
MOMENTS: tuple[type, ...] = (datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo,
                             decimal.Decimal, uuid.UUID, pathlib.PurePath)  # fmt: skip
HOLDERS = (list, tuple, dict, set, frozenset)
_MODULES = frozenset({"datetime", "decimal", "uuid", "pathlib"})
_LONGEST = 2000
_DEEPEST = 6

_UNMADE = (NotMadeHere, ValueError, TypeError, ArithmeticError, AttributeError, SyntaxError,
           LookupError, ImportError, MemoryError, RecursionError)  # fmt: skip

TYPES: dict[str, Any] = {
    **{each.__name__: each for each in (*SCALARS[1:], *HOLDERS)},
    "datetime.datetime": datetime.datetime, "datetime.date": datetime.date,
    "datetime.time": datetime.time, "datetime.timedelta": datetime.timedelta,
    "datetime.tzinfo": datetime.tzinfo, "datetime.timezone": datetime.timezone,
    "decimal.Decimal": decimal.Decimal, "uuid.UUID": uuid.UUID, "pathlib.Path": pathlib.Path,
    "os.PathLike": pathlib.PurePath, "re.Pattern": re.Pattern, "NoneType": type(None),
    "bytearray": bytearray, "memoryview": memoryview,
} | {
    name: getattr(collections.abc, name)
    for name in ("Mapping", "MutableMapping", "Sequence", "MutableSequence", "Iterable", "Sized",
                 "Callable", "Hashable", "Container", "Collection", "Set", "Iterator", "Generator")
}  # fmt: skip
"""Types that a guard asks for and a plain value can be held against."""


def value_of(expression: Expression) -> Any:
    """The value of an argument, when it is plain."""
    if expression.names or expression.definitions or not expression.modules <= _MODULES:
        return OPAQUE
    try:
        return evaluate(expression)
    except _UNMADE:
        return UNKNOWN


def is_known(value: Any, depth: int = 0) -> bool:
    """Whether a value is plain all the way down, and small."""
    if isinstance(value, HOLDERS):
        if len(value) > _LONGEST or depth > _DEEPEST:
            return False
        parts: Iterable[Any] = value
        if isinstance(value, Mapping):
            parts = (*value.keys(), *value.values())
        return all(is_known(each, depth + 1) for each in parts)
    if isinstance(value, str | bytes):
        return len(value) <= _LONGEST
    return isinstance(value, (*SCALARS, *MOMENTS))


def truth(value: Any) -> bool | None:
    """Whether a value counts as true; None when that is not known."""
    if isinstance(value, HOLDERS):
        return bool(value)
    return bool(value) if is_known(value) else None


def is_instance(value: Any, kind: Any) -> bool | None:
    """`isinstance` of a plain value; None when that is not known."""
    if isinstance(kind, tuple):
        answers = [is_instance(value, each) for each in kind]
        return True if True in answers else None if None in answers else False
    if isinstance(value, Instance) and isinstance(kind, ClassRef):
        return True if value.found.node is kind.node else None
    if not (is_known(value) or isinstance(value, HOLDERS)):
        return None
    if isinstance(kind, ClassRef):
        return None if any("Protocol" in ast.unparse(each) for each in kind.node.bases) else False
    return isinstance(value, kind) if isinstance(kind, type) else None


def has_no_order(name: str, args: list[Any]) -> bool:
    """Whether the answer would follow the order of a set, which is another in every process."""
    return name in ("list", "tuple", "str") and any(
        isinstance(each, set | frozenset) for each in args
    )


def quantified(stops_at: bool, answers: list[Any]) -> Any:
    """`any` or `all` of what is partly unknown."""
    found = [truth(each) for each in answers]
    if stops_at in found:
        return stops_at
    return UNKNOWN if None in found else not stops_at
