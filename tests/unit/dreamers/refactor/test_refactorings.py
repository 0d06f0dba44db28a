"""Every refactoring does what its example says, and leaves alone what is plain already."""

import ast

import pytest

from reverie.dreamers.refactor.patterns import catalogue
from reverie.dreamers.refactor.proposals import functions_of
from reverie.dreamers.refactor.refactoring import Elsewhere, Place, Refactoring
from reverie.dreamers.rewriting.source import Source

every_refactoring = pytest.mark.parametrize("each", catalogue(), ids=lambda each: each.name)


def proposed(each: Refactoring, text: str, *words: str) -> list[str | None]:
    source = Source(text)
    return [
        source.applied(edits)
        for name, function in functions_of(source.tree).items()
        for edits in each.propose(Place(source, function, name, Elsewhere(frozenset(words))))
    ]


@every_refactoring
def test_it_makes_of_its_example_what_it_says(each: Refactoring) -> None:
    assert each.after in proposed(each, each.before)


@every_refactoring
def test_it_has_nothing_to_say_about_its_own_result(each: Refactoring) -> None:
    assert proposed(each, each.after) == []


@every_refactoring
def test_it_has_nothing_to_say_about_plain_code(each: Refactoring) -> None:
    plain = "def add(a: int, b: int) -> int:\n    total = a + b\n    return total\n"
    assert proposed(each, plain) == []


@every_refactoring
def test_its_example_adds_no_decision(each: Refactoring) -> None:
    from reverie.gates.quality import decisions_of

    before, after = (decisions_of(ast.parse(text)) for text in (each.before, each.after))
    assert after <= before


def test_names_are_told_apart() -> None:
    names = [each.name for each in catalogue()]
    assert len(set(names)) == len(names)
