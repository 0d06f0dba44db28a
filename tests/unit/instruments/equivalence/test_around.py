"""Scenarios around a call: tables that are asked for what they hold, derived classes, counts."""

import ast

from reverie.instruments.equivalence.around import (
    asks_for_types,
    counting_calls,
    derived_calls,
    edge_calls,
    matched_calls,
)
from reverie.model.call import Call, Expression


def call(*arguments: str) -> Call:
    return Call(tuple(map(Expression, arguments)))


def sources(made: Call) -> tuple[str, ...]:
    return tuple(each.source for each in made.args)


def test_a_table_holds_what_it_is_asked_for_with_its_value_and_without() -> None:
    made = set(map(sources, matched_calls(call("{'k': 'v'}", "'x'"), ["colour", 3])))
    assert made == {
        ("{'x': 'v'}", "'x'"),
        ("{'x': ''}", "'x'"),
        ("{'colour': 'v'}", "'colour'"),
        ("{'colour': ''}", "'colour'"),
    }


def test_a_list_holds_what_it_is_asked_for() -> None:
    made = set(map(sources, matched_calls(call("[1, 2]", "7"), ["a", 40])))
    assert made == {("[7, 2]", "7"), ("[40, 2]", "40")}


def test_a_table_alone_gets_the_words_of_the_sources() -> None:
    made = set(map(sources, matched_calls(call("{'k': [1]}"), ["port"])))
    assert made == {("{'port': [1]}",), ("{'port': []}",)}


def test_nothing_is_matched_where_nothing_is_looked_up() -> None:
    assert list(matched_calls(call("1", "'a'", "[[1]]", "object()"), ["a", 1])) == []


def test_types_are_asked_for_in_one_version_only() -> None:
    loose, strict = (
        ast.parse(f"def f(x):\n    return {each}")
        for each in ("isinstance(x, list)", "type(x) is list")
    )
    assert asks_for_types(loose, strict)
    assert not asks_for_types(strict, strict)
    assert not asks_for_types(loose, loose)


def test_every_value_is_given_once_as_one_of_a_derived_class() -> None:
    made = [eval(each.args[0].source) for each in derived_calls(call("[['a'], {'k': 1}]"))]
    derived = [
        {type(each).__name__ for each in _values(value)} - {"list", "dict", "str", "int"}
        for value in made
    ]
    assert all(value == [["a"], {"k": 1}] for value in made)
    assert sorted(map(tuple, derived)) == [
        ("Items",), ("Items",), ("Number",), ("Table",), ("Text",), ("Text",)
    ]  # fmt: skip


def test_whole_numbers_become_large_counts() -> None:
    made = list(map(sources, counting_calls(call("3", "True", "2.5", "[1]", "4"))))
    assert made == [("1100", "True", "2.5", "[1]", "4"), ("3", "True", "2.5", "[1]", "1100")]


def _values(value: object) -> list[object]:
    inner = value if isinstance(value, list) else []
    if isinstance(value, dict):
        inner = [*value, *value.values()]
    return [value, *(part for each in inner for part in _values(each))]


def test_which_part_of_a_made_value_is_meant_is_no_value() -> None:
    made = list(edge_calls(call("make(40, 1)[0][1]"), [7]))
    assert made
    assert all(source.endswith("[0][1]") for each in made for source in sources(each))
