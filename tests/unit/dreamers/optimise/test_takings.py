"""Taking the least again and again: in one order only where nobody sees another one."""

import ast
from typing import Any

import pytest

from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.nodes import Function

TAKEN = """\
def f(xs: {held}, k: int = 2) -> object:
    pool = {made}
    out = []
    {before}
    while {test}:
        {taken}
        {then}
    return {answer}
"""
PLAIN = {
    "held": "list[int]",
    "made": "list(xs)",
    "before": "pass",
    "test": "pool",
    "taken": "x = pool.pop(pool.index(min(pool)))",
    "then": "out.append(x)",
    "answer": "out",
}


def proposed(name: str, text: str) -> list[str]:
    (rewrite,) = [each for each in catalogue() if each.name == name]
    source = Source(text)
    (function,) = [node for node in ast.walk(source.tree) if isinstance(node, Function)]
    applied = [source.applied(edits) for edits in rewrite.propose(Scene(source, function))]
    return [each for each in applied if each is not None]


def run(text: str, *args: Any) -> Any:
    space: dict[str, Any] = {}
    exec(text, space)  # noqa: S102  texts of this file
    return space["f"](*args)


def filled(**given: str) -> str:
    return TAKEN.format(**PLAIN | given)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"taken": "x = min(pool); pool.remove(x)"},
        {"taken": "x = max(pool); pool.remove(x)"},
        {"taken": "at = pool.index(max(pool)); x = pool[at]; del pool[at]"},
        {"taken": "x = pool.pop(max(range(len(pool)), key=lambda i: pool[i]))"},
        {"then": "out.append(x)\n        if x > 3:\n            pool.append(x // 2)"},
        {"then": "out.append(x)\n        if x > 3:\n            break"},
        {"test": "len(pool) > 1", "answer": "out, pool"},
        {
            "made": "[x * 2 for x in xs]",
            "before": "pool.append(4)",
            "then": "out.append(len(pool))",
        },
    ],
)
def test_the_least_is_taken_from_what_is_in_order(given: dict[str, str]) -> None:
    old = filled(**given).replace("; ", "\n        ")
    (new,) = proposed("taken_in_order", old)
    for xs in ([], [1], [3, 1, 2, 1, 3, 9, 8, 2], [5, 4, 3, 2, 1]):
        assert run(new, list(xs)) == run(old, list(xs))


@pytest.mark.parametrize(
    "given",
    [
        {"held": "list[float]"},
        {"held": "list"},
        {"held": "list[frozenset[int]]"},
        {"made": "xs"},
        {"before": "other = pool"},
        {"before": "both = (pool, out)"},
        {"before": "add = pool.append", "then": "add(x - 1) if x > 3 else out.append(x)"},
        {"test": "len(pool) > k", "answer": "out, pool"},
        {"then": "out.append(x)\n        if x > 3:\n            break", "answer": "out, pool"},
        {"then": "out.append(list(pool))"},
        {"then": "out.append(pool[0])"},
        {"then": "pool.insert(0, x) if x > 3 else out.append(x)"},
        {"test": "k > len(out)"},
        {"then": "x = pool.pop(pool.index(max(pool)))"},
    ],
)
def test_nothing_is_put_in_order_that_somebody_may_see(given: dict[str, str]) -> None:
    assert proposed("taken_in_order", filled(**given)) == []


PLACE = """\
def f(xs: {held}) -> int:
    best = 0
    for i in range({first}len(xs)):
        if {test}:
            best = i
    return best
"""


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
@pytest.mark.parametrize("sides", ["xs[i] {} xs[best]", "xs[best] {} xs[i]"])
def test_the_place_of_an_extreme_is_the_same_of_equal_values(sign: str, sides: str) -> None:
    old = PLACE.format(held="list[int]", first="1, ", test=sides.format(sign))
    (new,) = proposed("extreme_place", old)
    for xs in ([], [1], [2, 1, 1, 2], [1, 2, 2, 1], [3, 3]):
        assert run(new, xs) == run(old, xs)


@pytest.mark.parametrize(
    ("held", "first", "test"),
    [
        ("list[float]", "1, ", "xs[i] <= xs[best]"),
        ("dict[int, int]", "", "xs[i] < xs[best]"),
        ("list[int]", "2, ", "xs[i] < xs[best]"),
        ("list[int]", "", "xs[i] < xs[best] + 1"),
        ("list[int]", "", "xs[i] != xs[best]"),
    ],
)
def test_other_walks_along_places_are_left_alone(held: str, first: str, test: str) -> None:
    assert proposed("extreme_place", PLACE.format(held=held, first=first, test=test)) == []


def test_all_are_walked_in_order_only_of_a_list_of_the_functions_own() -> None:
    taken = {"taken": "x = min(pool)", "then": "pool.remove(x)\n        out.append(x)"}
    assert len(proposed("repeated_extreme", filled(**taken))) == 1
    for given in ({"made": "xs"}, {"held": "list[float]"}):
        assert proposed("repeated_extreme", filled(**taken | given)) == []


def test_a_helper_that_changes_something_is_put_where_nothing_is_asked_before_it() -> None:
    (rewrite,) = [each for each in catalogue() if each.name == "inlined_helper"]
    text = (
        "def take(pool: list[int]) -> int:\n    x = min(pool)\n    pool.remove(x)\n    return x\n"
        "def f(pool: list[int], out: list[int]) -> None:\n    while pool:\n        {}\n"
    )
    for used, count in (
        ("out.append(take(pool))", 1),
        ("y = take(pool)", 1),
        ("out.append(len(pool) + take(pool))", 0),
        ("pool.append(take(pool))", 0),
    ):
        source = Source(text.format(used))
        function = source.tree.body[-1]
        assert isinstance(function, Function)
        assert len(list(rewrite.propose(Scene(source, function)))) == count
