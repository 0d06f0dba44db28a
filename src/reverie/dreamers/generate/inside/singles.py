"""One value of all items of a loop: a sum, a number, the largest, the first that passes a test."""

from collections.abc import Callable, Iterator
from typing import Any

from reverie.dreamers.generate.inside.bank import _Term
from reverie.dreamers.generate.inside.loops import _MOST_BODIES, _Inner, _Loop
from reverie.dreamers.generate.inside.trying import _same

_FEW_TESTS = 60
_FEW_BODIES = 40
_LEAST_FOUND = 2
_FALLBACKS = ("None", "''", "0", "-1", "False", "[]", "{}")


def _singles(
    loop: "_Loop", inner: "_Inner", goal: "list[Any]", constants: "list[Any]"
) -> "Iterator[_Term]":
    """Every way in which all items give one value."""
    yield from _judged(loop, inner, goal)
    few = inner.bodies[:_FEW_BODIES]
    yield from _reduced(loop, None, inner.bodies[:_MOST_BODIES], goal)
    for test in inner.tests[:_FEW_TESTS]:
        yield from _reduced(loop, test, few, goal)
        yield from _first(loop, test, few, goal, constants)
        if _same([sum(each) for each in loop.parted(test.values)], goal):
            yield _Term(f"sum({loop.written(test)})", goal, loop.cost_with(test))
    if len(loop.bound) == 1 and all(loop.sizes):
        yield from _extreme(loop, inner, goal)


def _judged(loop: "_Loop", inner: "_Inner", goal: "list[Any]") -> "Iterator[_Term]":
    """Whether a test holds for all, or for any."""
    for test in inner.tests:
        parts = loop.parted(test.values)
        for word, function in (("all", all), ("any", any)):
            if _same([function(each) for each in parts], goal):
                yield _Term(f"{word}({loop.written(test)})", goal, loop.cost_with(test))


def _reduced(
    loop: "_Loop", test: "_Term | None", bodies: "list[_Term]", goal: "list[Any]"
) -> "Iterator[_Term]":
    for body in bodies:
        if test is None and body is loop.bound[0]:
            continue  # without a test that is no loop
        parts = loop.parted(body.values, test)
        for word, function in _REDUCED.get(body.kind, ()):
            if _gives(function, parts, goal):
                source = f"{word}({loop.written(body, test)})"
                yield _Term(source, goal, loop.cost_with(body, test))


def _first(
    loop: "_Loop",
    test: "_Term",
    bodies: "list[_Term]",
    goal: "list[Any]",
    constants: "list[Any]",
) -> "Iterator[_Term]":
    """The first item that passes a test, and what is given when none does."""
    found = loop.parted(test.values, test)
    empty = [wanted for each, wanted in zip(found, goal, strict=True) if not each]
    if len(set(map(repr, empty))) > 1 or len(found) - len(empty) < _LEAST_FOUND:
        return
    if empty and repr(empty[0]) not in _FALLBACKS and empty[0] not in constants:
        return
    for body in bodies:
        parts = loop.parted(body.values, test)
        if _same([each[0] if each else empty[0] for each in parts], goal):
            inside = loop.written(body, test)
            source = f"next(({inside}), {empty[0]!r})" if empty else f"next({inside})"
            yield _Term(source, goal, loop.cost_with(body, test) + 1)


def _extreme(loop: "_Loop", inner: "_Inner", goal: "list[Any]") -> "Iterator[_Term]":
    """The item of which something is largest or smallest, the first of several."""
    name = loop.bound[0].source
    items = loop.parted(loop.bound[0].values)
    if not all(wanted in part for wanted, part in zip(goal, items, strict=True)):
        return
    for key in [each for each in inner.bodies if each.kind in "isf"][:_MOST_BODIES]:
        pairs = list(zip(items, loop.parted(key.values), strict=True))
        for word, function in (("max", max), ("min", min)):
            made = [part[values.index(function(values))] for part, values in pairs]
            if key is not loop.bound[0] and _same(made, goal):
                source = f"{word}({loop.heading}, key=lambda {name}: {key.source})"
                yield _Term(source, goal, loop.cost_with(key))


def _gives(function: "Callable[..., Any]", parts: "list[list[Any]]", goal: "list[Any]") -> bool:
    try:
        return all(_same(function(part), wanted) for part, wanted in zip(parts, goal, strict=True))
    except (ValueError, TypeError):
        return False


_REDUCED: "dict[str, tuple[tuple[str, Callable[..., Any]], ...]]" = {
    "i": (("sum", sum), ("max", max), ("min", min)),
    "f": (("sum", sum), ("max", max), ("min", min)),
    "s": (("max", max), ("min", min)),
}
