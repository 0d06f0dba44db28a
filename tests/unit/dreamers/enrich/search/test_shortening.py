from typing import Any

import pytest

from reverie.dreamers.enrich.search.inside.nodes import Line, Node, const, form, render, tidy
from reverie.dreamers.enrich.search.inside.shortening import _simpler


def written(lines: "list[Line]") -> "list[str]":
    return [tidy(render(line.node, {0: "made"})) for line in lines]


def line(node: Node) -> "list[Line]":
    return [Line(node, "call", "f", 0)]


def test_arguments_by_name_and_the_last_one_go() -> None:
    call = form("f(·, ·, key=·)", const(1), const(2), const(3), about=("f", ("a", "b", "key")))
    simpler = [written(each)[0] for each in _simpler(line(call))]
    assert simpler == ["f(1, 2)"]
    call = form("f(key=·, other=·)", const(1), const(2), about=("f", ("key", "other")))
    assert [written(each)[0] for each in _simpler(line(call))] == ["f(key=1)", "f(other=2)"]


def test_an_operator_keeps_its_operands() -> None:
    assert list(_simpler(line(form("· < ·", const(1), const(2), about=("f", ("", "x")))))) == []


@pytest.mark.parametrize(
    ("value", "shorter"),
    [("abcdefgh", "abcd"), (b"abcdefgh", b"efgh"), (12, None), ("abc", None)],
)
def test_texts_get_shorter_and_numbers_stay(value: Any, shorter: Any) -> None:
    simpler = [each[0].node.value for each in _simpler(line(const(value)))]
    assert (shorter in simpler) if shorter is not None else simpler == []


def test_items_go_one_by_one() -> None:
    items = Node("list", None, (const(1), const(2), const(3)))
    assert [written(each)[0] for each in _simpler(line(items))] == ["[2, 3]", "[1, 3]", "[1, 2]"]


def test_a_text_that_somebody_wrote_stays_whole() -> None:
    line = Line(form("f(·)", const("9780306406157"), about=("f", ("isbn",))), "call", "f", 0)
    made = _simpler([line], lambda value: value == "9780306406157")
    assert not [each for each in made if each[0].node.items]
