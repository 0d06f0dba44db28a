"""What laws are written with; a script that reproduces a finding carries what it needs of it."""

import collections
import math
from typing import Any


def same(one: Any, other: Any) -> bool:
    """Equal; numbers up to rounding."""
    if isinstance(one, float) or isinstance(other, float):
        try:
            return (
                one == other
                or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
                or (one != one and other != other)
            )
        except (TypeError, OverflowError):
            return bool(one == other)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def akin(one: Any, other: Any) -> bool:
    """Of one type, and holding items of the same types."""
    if type(one) is not type(other):
        return False
    return not isinstance(one, (list, tuple, set)) or set(map(type, one)) == set(map(type, other))


def counted(items: Any) -> Any:
    """How often each item is there."""
    return collections.Counter(map(repr, items))


def errors_of(call: Any) -> "list[str]":
    """The names of what a call raises, the most special first; nothing when it returns."""
    try:
        call()
    except Exception as error:  # noqa: BLE001  which one is the question
        return [each.__name__ for each in type(error).__mro__]
    return []


def no_breaks(value: Any) -> bool:
    """Whether there is no line break in a text, or in any text of a list."""
    if isinstance(value, str):
        return len(value.splitlines()) <= 1 and not value.endswith(("\n", "\r"))
    return all(map(no_breaks, value)) if isinstance(value, (list, tuple)) else True
