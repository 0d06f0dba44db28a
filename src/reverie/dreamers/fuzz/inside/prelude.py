"""What laws are written with; a script that reproduces a finding carries what it needs of it."""

import ast
import collections
import itertools
import math
import sys
import time
from typing import Any


def same(one: Any, other: Any) -> bool:
    """Equal; numbers up to rounding, iterators by what they give."""
    if hasattr(type(one), "__next__") or hasattr(type(other), "__next__"):
        return same(listed(one), listed(other))
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
    equals: Any = type(one).__eq__
    if type(one) is type(other) and equals is object.__eq__:
        return True  # nothing can be said of two such objects
    return bool(one == other)


def listed(value: Any) -> Any:
    """What an iterator gives, as a list; anything else as it is."""
    if not hasattr(type(value), "__next__"):
        return value
    return [listed(each) for each in itertools.islice(value, 1000)]


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


def outcome(subject: Any, name: str, args: Any) -> Any:
    """What a method gives or raises, and what is in the object afterwards."""
    try:
        result = getattr(subject, name)(*args)
    except Exception as error:  # noqa: BLE001  refusing is what both may do
        return type(error).__name__, error, None
    if name.startswith("__i"):
        subject, result = result, None
    return "", result, subject


def agree(subject: Any, model: Any, name: str, *args: Any) -> bool:
    """Whether a method does and gives the same as the one of a plain list, set or dict."""
    kind: Any = type(model)
    refused, result, after = outcome(subject, name, args)
    declined, expected, left = outcome(model, name, args)
    if refused or declined:
        return bool(refused) == bool(declined)
    if kind(after) != left:
        return False
    if isinstance(expected, (list, set, dict)):
        return bool(kind(result) == expected)
    return bool(result == expected)


def no_breaks(value: Any) -> bool:
    """Whether there is no line break in a text, or in any text of a list."""
    if isinstance(value, str):
        return len(value.splitlines()) <= 1 and not value.endswith(("\n", "\r"))
    return all(map(no_breaks, value)) if isinstance(value, (list, tuple)) else True


def extent(value: Any) -> int:
    """How much there is of a result: items, and items of items."""
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return 1 + sum(len(each) if hasattr(each, "__len__") else 1 for each in value)
    return len(value) + 1 if isinstance(value, (str, bytes)) else 1


def lines_of(call: Any, most: int = 200_000) -> float:
    """How many lines of Python a call runs for each item of its result; counted up to a bound."""
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        if count > most:
            raise KeyboardInterrupt("so many lines are enough")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        size = extent(listed(call()))
    except KeyboardInterrupt:
        size = 1
    finally:
        sys.settrace(before)
    return count / size


def seconds_of(call: Any) -> float:
    """CPU time of one call, in milliseconds for each item of the result.

    What is short is called again and again: some clocks go on in steps of several milliseconds.
    """
    began, calls, spent = time.process_time(), 0, 0.0
    size = 1
    while calls < 200 and spent < 20:
        size = extent(listed(call()))
        calls += 1
        spent = (time.process_time() - began) * 1000
    return spent / calls / size


def is_steep(sizes: Any, costs: Any, least: float) -> bool:
    """Whether every step of the size multiplies the cost by far: 8 times when it is doubled.

    Sizes that grow by a constant tell what is exponential, those that double what is a power.
    """
    ratios = [two / max(one, 0.05) for one, two in itertools.pairwise(costs)]
    is_doubled = all(two == 2 * one for one, two in itertools.pairwise(sizes))
    return costs[-1] >= least and all(each >= (6.0 if is_doubled else 3.5) for each in ratios[-3:])


def stray_raises(source: str) -> "list[str]":
    """Functions with a bare `raise` that stands in no handler, unless a handler calls them."""
    tree = ast.parse(source)
    handlers = [each for each in ast.walk(tree) if isinstance(each, ast.ExceptHandler)]
    called = {
        getattr(each.func, "attr", getattr(each.func, "id", ""))
        for handler in handlers for each in ast.walk(handler) if isinstance(each, ast.Call)
    }  # fmt: skip
    found: list[str] = []

    def visit(node: ast.AST, name: str) -> None:
        for each in ast.iter_child_nodes(node):
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                visit(each, f"{name}.{each.name}" if name else each.name)
            elif (
                isinstance(each, ast.Raise)
                and each.exc is None
                and name.rpartition(".")[2] not in called
            ):
                found.append(name)
            elif not isinstance(each, (ast.ExceptHandler, ast.Lambda)):
                visit(each, name)

    visit(tree, "")
    return [each for each in found if each and not each.rpartition(".")[2].startswith("__exit")]
