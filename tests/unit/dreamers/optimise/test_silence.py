"""Where a rewrite would change what happens, it is silent; where it would not, it is right."""

import ast
from typing import Any

import pytest

from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Source

RETURNED_OWN = """\
def walk(graph, chance, rounds):
    found = []
    for _ in range(rounds):
        {made}
        {used}
        found.append({read})
    return found
"""


def proposed(name: str, text: str) -> list[str]:
    (rewrite,) = [each for each in catalogue() if each.name == name]
    source = Source(text)
    (function,) = [node for node in ast.walk(source.tree) if isinstance(node, Function)]
    applied = [source.applied(edits) for edits in rewrite.propose(Scene(source, function))]
    return [each for each in applied if each is not None]


@pytest.mark.parametrize(
    ("made", "used", "read"),
    [
        ("nodes = list(graph)", "chance.shuffle(nodes)", "nodes[0]"),
        ("nodes = list(graph.nodes())", "pass", "nodes[0]"),
        ("nodes = list(graph)", "graph.add_nodes_from(found)", "nodes[0]"),
        ("nodes = sorted(graph)", "graph.difference_update(found)", "nodes[0]"),
        ("nodes = list(graph)", "chance.seed(graph)", "nodes[0]"),
    ],
)
def test_what_an_unknown_method_may_change_is_made_anew_each_time(
    made: str, used: str, read: str
) -> None:
    assert proposed("invariant_call", RETURNED_OWN.format(made=made, used=used, read=read)) == []


def test_what_nobody_touches_is_made_once() -> None:
    text = RETURNED_OWN.format(made="nodes = sorted(graph)", used="pass", read="nodes[0]")
    assert len(proposed("invariant_call", text)) == 1


def run(text: str, *args: Any) -> Any:
    space: dict[str, Any] = {}
    exec(text, space)  # noqa: S102  texts of this file
    return space["f"](*args)


@pytest.mark.parametrize(
    "text",
    [
        "def f(xs):\n    out = []\n    for x in xs:\n        out.insert(0, x)\n    return out\n",
        "def f(xs):\n    out = [7]\n    for x in xs:\n        out.insert(0, x)\n    return out\n",
        (
            "def f(xs):\n    out = []\n    out.append(1)\n    out.append(2)\n"
            "    for x in xs:\n        out.insert(0, x)\n    return out\n"
        ),
        (
            "def f(xs):\n    out = list(xs)\n    for x in xs:\n        for y in xs:\n"
            "            out.insert(0, (x, y))\n    out.append(3)\n    return out\n"
        ),
    ],
)
def test_inserting_in_front_keeps_what_was_there(text: str) -> None:
    (new,) = proposed("insert_front", text)
    assert "insert" not in new
    for xs in ([], [1], [1, 2, 3]):
        assert run(new, xs) == run(text, xs)


def test_inserting_in_front_is_left_alone_where_an_error_would_show_the_list() -> None:
    text = (
        "def f(xs):\n    out = []\n    try:\n        for x in xs:\n"
        "            out.insert(0, 1 / x)\n    except ValueError:\n        pass\n    return out\n"
    )
    assert proposed("insert_front", text) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f(row, x):\n    return x in row.keys()\n", 0),
        ("def f(x):\n    row = load()\n    return x in list(row.keys())\n", 0),
        ("def f(x, y):\n    row, _ = {1: 2, 3: 4}\n    return x in row.keys()\n", 0),
        ("def f(row: dict, x):\n    return x in row.keys()\n", 1),
        ("def f(x, y):\n    row = {y: 1}\n    row[2] = 3\n    return x in row.keys()\n", 1),
    ],
)
def test_only_a_dictionary_is_asked_itself(text: str, count: int) -> None:
    assert len(proposed("keys_membership", text)) == count


def test_a_queue_is_made_of_what_the_list_was_made_of() -> None:
    text = "def f(xs):\n    q = list(xs)\n    while q:\n        x = q.pop(0)\n    return x\n"
    (new,) = proposed("pop_front", text)
    assert "q = deque(xs)" in new
