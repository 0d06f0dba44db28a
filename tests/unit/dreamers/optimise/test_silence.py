"""Where a rewrite would change what happens, it is silent; where it would not, it is right."""

import ast
from typing import Any

import pytest

from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.nodes import Function

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


@pytest.mark.parametrize(
    ("bound", "grown"),
    [
        ("add = kept.append", "add((x, y))"),
        ("other = kept", "other.append((x, y))"),
        ("other = kept", "other += [(x, y)]"),
        ("add = lambda each: kept.append(each)", "add((x, y))"),
        ("both = [kept, points]", "both[0].append((x, y))"),
        ("one = kept\n    add = one.append", "add((x, y))"),
        ("one = kept\n    two = one", "two.append((x, y))"),
    ],
)
def test_what_changes_under_another_name_changes(bound: str, grown: str) -> None:
    text = (
        "def f(points: list[tuple[int, int]]) -> list[tuple[int, int]]:\n"
        "    kept: list[tuple[int, int]] = []\n"
        f"    {bound}\n"
        "    for x, y in points:\n"
        "        for a, b in kept:\n"
        "            if a == x and b == y:\n"
        "                break\n"
        "        else:\n"
        f"            {grown}\n"
        "    return kept\n"
    )
    assert proposed("grouped_rows", text.replace(grown, "pass")) != []
    assert proposed("grouped_rows", text) == []


def test_rows_are_walked_along_where_the_last_one_is_asked_for_afterwards() -> None:
    text = (
        "def f(xs: list[int], rows: list[tuple[int, int]]) -> list[int]:\n"
        "    out = []\n"
        "    for x in xs:\n"
        "        for key, n in rows:\n"
        "            if key == x:\n"
        "                out.append(n)\n"
        "        out.append({})\n"
        "    return out\n"
    )
    assert len(proposed("grouped_rows", text.format("x"))) == 1
    assert proposed("grouped_rows", text.format("key")) == []


DISTINCT = """\
def f(points: list[tuple[{kind}, int]]{more}) -> list:
    kept: {held} = []
    for x, y in points:
        found = False
        for a, b in kept:
            if {test}:
                found = True
                break
        if not found:
            kept.append((x, y))
    return kept
"""


@pytest.mark.parametrize(
    ("kind", "held", "test", "more"),
    [
        ("float", "list[tuple[float, int]]", "a == x and b == y", ""),
        ("int", "list[list[int]]", "a == x and b == y", ""),
        ("int", "list", "a == x and b == y", ""),
        ("int", "list[tuple[int, int]]", "a == x", ""),
        ("int", "list[tuple[int, int]]", "a == x or b == y", ""),
        ("int", "list[tuple[int, int]]", "a == x and b == x and a == y", ""),
        ("int", "list[tuple[int, int]]", "a == x and b == a", ""),
        ("int", "list[tuple[int, int]]", "a == x and b == z", ", z"),
        ("int", "list[tuple[int, int]]", "a == x and b == z[y]", ", z: list[int]"),
    ],
)
def test_part_by_part_is_a_membership_only_of_known_tuples(
    kind: str, held: str, test: str, more: str
) -> None:
    text = DISTINCT.format(kind=kind, held=held, test=test, more=more)
    assert proposed("flag_loop", text) == []


def test_parts_may_be_asked_for_in_any_order() -> None:
    known = {"kind": "int", "held": "list[tuple[int, int]]", "more": ""}
    for test in ("a == x and b == y", "y == b and x == a", "(b, a) == (y, x)"):
        (new,) = proposed("flag_loop", DISTINCT.format(**known, test=test))
        assert "found = (x, y) in kept" in new


def test_a_character_is_not_looked_for_as_a_text() -> None:
    text = "def f({}, x: str) -> bool:\n    return any(y == x for y in ys)\n"
    assert proposed("any_equal", text.format("ys: str")) == []
    assert proposed("any_equal", text.format("ys")) == []
    assert len(proposed("any_equal", text.format("ys: list[str]"))) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "list_index",
            "def f(xs: list[int], o: list[list]):\n    {}(xs, key=lambda x: o.index(x))\n",
        ),
        ("list_index", "def f(xs, o: list[int]):\n    {}(xs, key=lambda x: o.index(x[0]))\n"),
        (
            "list_index",
            "def f(xs: list[int], o: list[int]):\n    {}(xs, key=lambda o: o.index(1))\n",
        ),
        (
            "list_index",
            "def f(xs: list[int], o: list[int]):\n"
            "    while {}(xs, key=lambda x: o.index(x)):\n        o.pop()\n",
        ),
        (
            "list_index",
            "def f(xs: list[int], o: list[int], more: list[int]):\n"
            "    for x in xs:\n        print({}(o), o.index(more.pop()))\n",
        ),
        ("index_key", "def f(xs: list, o: list[int]):\n    {}(xs, key=o.index)\n"),
        ("index_key", "def f(xs: list[int], o: str):\n    {}(xs, key=o.index)\n"),
    ],
)
def test_places_are_noted_only_of_a_list_that_stays_and_of_values_with_a_hash(
    name: str, text: str
) -> None:
    assert proposed(name, text.format("sorted")) == []


def test_a_list_that_is_sorted_by_its_own_places_is_left_alone() -> None:
    text = "def f(xs: list[int], o: list[int]):\n    {}.sort(key={})\n"
    for key in ("lambda x: o.index(x)", "o.index"):
        every = [n for n in ("list_index", "index_key") if proposed(n, text.format("xs", key))]
        assert len(every) == 1
        assert not proposed(every[0], text.format("o", key))


def test_what_is_not_in_the_list_is_the_same_error() -> None:
    text = "def f(xs: list[int], o: list[int]):\n    return sorted(xs, key={})\n"
    for name, key in (("list_index", "lambda x: (o.index(x), x)"), ("index_key", "o.index")):
        (new,) = proposed(name, text.format(key))
        assert run(new, [3, 2, 3, 1], [2, 3, 3, 1]) == [2, 3, 3, 1]
        with pytest.raises(ValueError, match="5 is not in list"):
            run(new, [2, 5], [2, 3])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("added_up", "def f(xs: list[float]):\n    t = 0\n    for x in xs:\n        t += x\n"),
        ("added_up", "def f(xs):\n    t = 0\n    for x in xs:\n        t += x\n"),
        ("added_up", "def f(xs: list[int]):\n    t = 0.0\n    for x in xs:\n        t += x\n"),
        (
            "added_up",
            "def f(xs: list[int]):\n    t = 0\n    for x in xs:\n        t += x\n    return t, x\n",
        ),
        (
            "summed_range",
            "def f(xs: list[float], ks: list[int]):\n"
            "    return [sum(xs[i] for i in range(k)) for k in ks]\n",
        ),
        (
            "summed_range",
            "def f(xs: list[int], ks: list[int]):\n"
            "    while sum(xs[i] for i in range(ks[0])):\n        xs.pop()\n",
        ),
        (
            "counted_loop",
            "def f(xs: list[int], y: int):\n    n = 0.5\n    for x in xs:\n"
            "        if x < y:\n            n += 1\n    return n\n",
        ),
        (
            "counted_below",
            "def f(xs: list[frozenset[int]], ys: list[frozenset[int]]):\n"
            "    return [sum(1 for x in xs if x < y) for y in ys]\n",
        ),
    ],
)
def test_sums_and_counts_are_left_alone_where_they_might_come_out_otherwise(
    name: str, text: str
) -> None:
    assert proposed(name, text) == []


RANKS = """\
def f(xs: list[{kind}], ys: list[int]) -> list[int]:
    seen = [{first}]
    out = []
    for x in xs:
        out.append(sum(1 for y in seen if y <= x))
        {grown}
    return out
"""


@pytest.mark.parametrize(
    ("kind", "first", "grown"),
    [
        ("float", "", "seen.append(x)"),
        ("int", "0.5", "seen.append(x)"),
        ("frozenset[int]", "", "seen.append(x)"),
        ("int", "", "seen.append(x); seen.remove(x)"),
        ("int", "", "seen.append(x); seen[0] = 3"),
        ("int", "", "seen.append(x); ys = seen; ys.append(3)"),
        ("int", "", "seen.append(ys.pop())"),
    ],
)
def test_ranks_are_counted_where_the_list_does_more_than_grow_in_order(
    kind: str, first: str, grown: str
) -> None:
    assert proposed("growing_rank", RANKS.format(kind=kind, first=first, grown=grown)) == []


def test_ranks_are_the_same_by_bisection() -> None:
    text = RANKS.format(kind="int", first="2", grown="seen.append(x)")
    for sign in ("<", "<=", ">", ">="):
        old = text.replace("<=", sign)
        (new,) = proposed("growing_rank", old)
        assert run(new, [3, 1, 3, 2, 2, 5], []) == run(old, [3, 1, 3, 2, 2, 5], [])


@pytest.mark.parametrize(
    ("helper", "count"),
    [
        ("return sum(i for i in xs[:k])", 1),
        ("return sum(day for day in xs[:k])", 0),
        ("return sum(xs[:k]) + out", 0),
    ],
)
def test_a_helper_is_put_there_only_where_its_names_mean_the_same(helper: str, count: int) -> None:
    (rewrite,) = [each for each in catalogue() if each.name == "inlined_helper"]
    source = Source(
        f"out = 3\ndef upto(xs: list[int], k: int) -> int:\n    {helper}\n"
        "def f(xs: list[int], days: list[int]) -> list[int]:\n"
        "    out = [upto(xs, day) for day in days]\n    return out\n"
    )
    function = source.tree.body[-1]
    assert isinstance(function, Function)
    assert len(list(rewrite.propose(Scene(source, function)))) == count
