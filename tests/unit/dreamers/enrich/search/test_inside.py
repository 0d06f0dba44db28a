import ast
import itertools
import random
import socket
from typing import Any

import pytest

from reverie.dreamers.enrich.search.inside.kinds import Kinds
from reverie.dreamers.enrich.search.inside.memory import distance
from reverie.dreamers.enrich.search.inside.nodes import Evaluator, Reader, const, form, render, tidy
from reverie.dreamers.enrich.search.inside.probes import Recorder, probed
from reverie.dreamers.enrich.search.inside.replaying import Viewer
from reverie.dreamers.enrich.search.inside.searching import namespace_of
from reverie.dreamers.enrich.search.inside.trying import Teller, complaint, finished, in_child


@pytest.mark.parametrize(
    "source",
    [
        "f(1, -2.5, [1, (2,)], {'a': {1}}, key=b'x')",
        "Version.parse('1.2').bump(3)[0]",
        "a if 1 else 2",
        "-(1) + len('abc') * 2",
        "[x * 2 for x in range(3)]",
        "sorted([3, 1], key=lambda x: -x)",
    ],
)
def test_a_line_read_and_written_is_the_same(source: str) -> None:
    reader = Reader()
    assert reader.read(source)
    assert tidy(render(reader.lines[0].node, {})) == tidy(source)


def test_a_form_is_evaluated_with_the_values_of_its_holes() -> None:
    node = form("max(·, ·) + 1", const(3), form("len(·)", const("abcd")))
    assert Evaluator({}).value(node, {}) == 5
    assert tidy(render(node, {})) == "max(3, len('abcd')) + 1"


def test_results_of_earlier_lines_are_referred_to() -> None:
    reader = Reader()
    for line in ("made = [1]", "made[0] = 5", "made[0] + 1"):
        assert reader.read(line)
    results: dict[int, Any] = {}
    evaluator = Evaluator({})
    results[0] = evaluator.value(reader.lines[0].node, results)
    evaluator.perform(reader.lines[1].node, results)
    assert evaluator.value(reader.lines[2].node, results) == 6


def run_probed(source: str, call: str) -> "tuple[Any, Recorder, int]":
    recorder = Recorder()
    tree, ways = probed(ast.parse(source))
    recorder.open = set(ways)
    space: dict[str, Any] = dict(recorder.functions())
    exec(compile(tree, "<probed>", "exec"), space)  # noqa: S102
    return eval(call, space), recorder, len(ways)


@pytest.mark.parametrize(
    ("call", "result"),
    [("f(3, 'ab')", "low"), ("f(30, 'ab')", "high"), ("f(3, 'zz')", "z"), ("f(5, '')", "empty")],
)
def test_probes_change_nothing(call: str, result: str) -> None:
    source = (
        "def f(n, s):\n    'Text.'\n    if not s:\n        return 'empty'\n"
        "    for c in s:\n        if c.startswith('z') and isinstance(n, int):\n"
        "            return 'z'\n"
        "    return 'low' if 0 <= n < 10 else 'high'\n"
    )
    assert run_probed(source, call)[0] == result


def test_a_comparison_is_remembered_while_it_is_one_sided() -> None:
    _, recorder, _ = run_probed("def f(n):\n    return n == 17\n", "f(3)")
    assert list(recorder.pairs.values()) == [("==", 3, 17)]


def test_nearer_comparisons_have_smaller_distances() -> None:
    assert distance(("==", 3, 5)) < distance(("==", 3, 500))
    assert distance(("==", "abx", "abc")) < distance(("==", "xyz", "abc"))
    assert distance(("<", float("inf"), 0)) == 1.0


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (TypeError("'int' object is not callable"), ("kinds", "int", ("function",))),
        (AttributeError("'int' object has no attribute 'read'"), ("hasattr", "int", "read")),
        (ValueError("something else"), None),
    ],
)
def test_errors_say_what_they_wanted(error: Exception, wanted: Any) -> None:
    assert complaint(error) == wanted


def test_texts_are_drawn_from_patterns() -> None:
    kinds = Kinds(random.Random(1))
    kinds.learn_pattern(r"\d{4}-\d\d")
    assert any(len(text) == 7 and text[4] == "-" for text in (kinds.a_text() for _ in range(200)))


class Plain:
    def __init__(self) -> None:
        self.size = 3


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        ({"a": [1, (2,)]}, "{'a': [1, (2,)]}"),
        ({2, 1}, "{1, 2}"),
        (float("inf"), "float('inf')"),
        (float("nan"), None),
        (frozenset(), "frozenset()"),
        (Plain(), None),
    ],
)
def test_a_literal_makes_an_equal_value_or_is_none(value: Any, literal: str | None) -> None:
    assert Viewer({}).literal(value) == literal


def test_a_value_without_a_literal_shows_its_parts_and_no_address() -> None:
    assert Viewer({}).look(Plain())["parts"] == {"{}.size": "3"}


def test_iterators_in_a_tuple_are_each_brought_to_their_end() -> None:
    halves = (iter([1, 2]), (each for each in "ab"))
    assert finished(halves, is_used=False) == ([[1, 2], ["a", "b"]], "each listed")
    assert finished((iter([1]), 2), is_used=False)[1] == ""
    assert finished((itertools.count(),), is_used=False)[1] == ""


def test_a_number_in_the_place_of_a_file_leads_to_nothing_of_ours() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        number = theirs.fileno()

        def work(teller: Teller) -> None:
            with open(number, "w", closefd=False) as file:
                file.write("from a try")
            teller.tell(number)

        told, is_whole = in_child(work, 10.0)
        ours.setblocking(False)
        assert (told, is_whole) == ([number], True)
        with pytest.raises(BlockingIOError):
            ours.recv(1)


def test_what_cannot_be_defined_is_left_out_and_fails_nothing() -> None:
    definitions = ["class A(absent.Base):\n    pass\n", "class B:\n    pass\n"]
    request = {"modules": [], "own": [], "helpers": [], "definitions": definitions}
    space = namespace_of(ast, request)
    assert "A" not in space
    assert "B" in space
