"""Pairs that are looked through from both sides: gathered only where nothing else is asked."""

from typing import Any

import pytest

from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.nodes import Function

NEAR = """\
def f(pairs: {held}, nodes: {nodes}) -> list:
    out = []
    for node in nodes:
        for a, b in pairs:
            if {test}:
                out.append((node, b))
            elif {other}:
                out.append((node, a))
            {rest}
        out.append({after})
    return out
"""
PLAIN = {
    "held": "list[tuple[int, int]]",
    "nodes": "list[int]",
    "test": "a == node",
    "other": "b == node",
    "rest": "",
    "after": "node",
}


def proposed(text: str, name: str = "either_side") -> list[str]:
    (rewrite,) = [each for each in catalogue() if each.name == name]
    source = Source(text)
    function = source.tree.body[-1]
    assert isinstance(function, Function)
    applied = [source.applied(edits) for edits in rewrite.propose(Scene(source, function))]
    return [each for each in applied if each is not None]


def run(text: str, *args: Any) -> Any:
    space: dict[str, Any] = {}
    exec(text, space)  # noqa: S102  texts of this file
    return space["f"](*args)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"test": "node == b", "other": "a == node and a != b"},
        {"test": "a == node and b > 2"},
        {"test": "node in (a, b)", "other": "a == node"},
        {"rest": "elif a == node:\n                out.append(1)", "after": "0"},
    ],
)
def test_pairs_are_met_in_the_same_order(given: dict[str, str]) -> None:
    old = NEAR.format(**PLAIN | given)
    (new,) = proposed(old)
    pairs = [(1, 2), (2, 1), (3, 3), (1, 1), (2, 3), (1, 2)]
    for nodes in ([], [1], [3, 2, 1, 4, 1]):
        assert run(new, pairs, nodes) == run(old, pairs, nodes)
    assert run(new, [], [1]) == run(old, [], [1])


@pytest.mark.parametrize(
    "given",
    [
        {"held": "list[tuple[float, float]]"},
        {"held": "list[list[int]]"},
        {"held": "list[tuple[int, int, int]]"},
        {"nodes": "list"},
        {"nodes": "list[float]"},
        {"other": "b != node"},
        {"other": "b == a"},
        {"other": "b > 3 and b == node"},
        {"rest": "else:\n                out.append(0)"},
        {"rest": "out.append(0)"},
        {"after": "a"},
        {"after": "pairs.append((node, 1))"},
        {"after": "pairs.sort()"},
    ],
)
def test_all_pairs_are_walked_along_where_others_count(given: dict[str, str]) -> None:
    assert proposed(NEAR.format(**PLAIN | given)) == []


HELPER = """\
def near(pairs: list[tuple[int, int]], node: int) -> list[int]:
    found = {made}
    for a, b in pairs:
        if a == node:
            found.append(b)
        elif b == node:
            found.append(a)
    return {answer}

def f(pairs: list[tuple[int, int]], nodes: list[int]) -> list:
    {out}
    for node in nodes:
        out.append({asked})
    return out
"""


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ({}, 1),
        ({"answer": "found, len(pairs)"}, 0),
        ({"made": "pairs"}, 0),
        ({"asked": "near(pairs, nodes.pop())"}, 0),
        ({"asked": "near(list(pairs), node)"}, 0),
        ({"out": "out = pairs"}, 0),
    ],
)
def test_a_helper_is_handed_its_pairs_where_it_only_walks_along_them(
    given: dict[str, str], count: int
) -> None:
    plain = {"made": "[]", "answer": "found", "out": "out = []", "asked": "near(pairs, node)"}
    assert len(proposed(HELPER.format(**plain | given), "handed_either_side")) == count


@pytest.mark.parametrize(
    ("body", "is_pure"),
    [
        ("out = []\n    out.append(xs[0])\n    return out", True),
        ("out = {}\n    out[1] = xs\n    return out", True),
        ("out = xs\n    out.append(1)\n    return out", False),
        ("out = []\n    out = xs\n    out.append(1)\n    return out", False),
        ("out = [xs]\n    out[0].append(1)\n    return out", False),
        ("xs += [1]\n    return xs", False),
        ("n += 1\n    return n", True),
    ],
)
def test_a_function_that_fills_a_list_of_its_own_only_computes(body: str, is_pure: bool) -> None:
    source = Source(f"def f(xs: list[int], n: int):\n    {body}\n")
    function = source.tree.body[0]
    assert isinstance(function, Function)
    assert Scene(source, function).is_pure("f") is is_pure
