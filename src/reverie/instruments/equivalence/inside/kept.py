"""How much a version holds on to between calls: the parts that its module can reach."""

import types
from typing import Any

_MOST_PARTS = 500_000
_CONTAINERS = (list, tuple, set, frozenset, dict)


def parts_kept(module: types.ModuleType) -> int:
    """Items of containers, of caches without bound, and attributes, below the module's names."""
    waiting: list[Any] = [
        value for name, value in vars(module).items() if not name.startswith(("__", "_rv_"))
    ]
    met: set[int] = set()
    parts = 0
    while waiting and parts < _MOST_PARTS:
        value = waiting.pop()
        if id(value) in met:
            continue
        met.add(id(value))
        inner = _inner(value, module.__name__)
        parts += len(inner) + _cached(value)
        waiting += inner
    return parts


def _inner(value: Any, own: str) -> "list[Any]":
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, _CONTAINERS) or type(value).__name__ == "deque":
        return list(value)
    if isinstance(value, types.FunctionType):
        held = [each.cell_contents for each in value.__closure__ or () if _is_filled(each)]
        return [*(value.__defaults__ or ()), *vars(value).values(), *held]
    if isinstance(value, staticmethod | classmethod):
        return [value.__func__]
    is_own = getattr(value, "__module__", None) == own
    return list(vars(value).values()) if is_own and hasattr(value, "__dict__") else []


def _is_filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _cached(value: Any) -> int:
    """Entries of a cache of `functools`; one with a bound does not grow for ever."""
    if not hasattr(value, "cache_parameters") or value.cache_parameters()["maxsize"] is not None:
        return 0
    return int(value.cache_info().currsize)
