"""Values of the examples: what they are called with, and when two are the same."""

import copy
import json
from typing import Any


def _same(one: Any, two: Any) -> bool:
    """Equal with their types, all the way down; the order of keys counts as well."""
    if isinstance(one, tuple):
        one = list(one)
    if type(one) is not type(two):
        return False
    if isinstance(one, list):
        return len(one) == len(two) and all(map(_same, one, two))
    if isinstance(one, dict):
        return list(one) == list(two) and all(_same(one[key], two[key]) for key in one)
    return bool(one == two)


def _key(value: Any) -> str:
    """A text that is equal for equal values of equal types; raises when JSON cannot hold it."""
    return json.dumps(_shown(value))


def _shown(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return [type(value).__name__, repr(value)]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [_shown(each) for each in value]]
    if isinstance(value, dict):
        return ["dict", [[_shown(key), _shown(each)] for key, each in value.items()]]
    if isinstance(value, set | frozenset):
        return ["set", sorted(json.dumps(_shown(each)) for each in value)]
    raise TypeError(type(value).__name__)


def _fresh(args: "list[Any]") -> "list[Any]":
    return copy.deepcopy(args)
