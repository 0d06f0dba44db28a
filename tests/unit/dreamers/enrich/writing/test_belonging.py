"""Methods that are not for a test to call: Python's, a dispatcher's, another class's."""

import ast
from dataclasses import replace

import pytest
from tests.unit.dreamers.enrich.writing.scenarios import call, error, make, scenario, value

from reverie.dreamers.enrich.writing.selecting.candidates import Check, Relation
from reverie.dreamers.enrich.writing.selecting.manual import manual_of
from reverie.dreamers.enrich.writing.selecting.never import Never, Refusal
from reverie.model.call import Expression, Scenario, Seen, Step, StepForm

SOURCE = """
from collections import namedtuple

from shop.nodes import NodeVisitor

FIELDS = ("x", "y")
text_type = str


class Grammar:
    def parse(self, text):
        if not text:
            raise RuntimeError("missed a spot")
        return text

    def merge(self, other):
        raise NotImplementedError


class TokenGrammar(Grammar):
    def show(self):
        return "tokens"


class Rules(NodeVisitor):
    def visit_term(self, node, children):
        return node

    def lookup(self, name):
        return name


class Shape(dict):
    @classmethod
    def of(cls, kind):
        return cls(kind=kind)

    @classmethod
    def read(cls, text) -> "Shape":
        shape = cls.of(text)
        return shape

    def __add__(self, other):
        return Shape.of(other)


class Point(namedtuple("Point", FIELDS)):
    @classmethod
    def at(cls, x):
        return cls(x, 0)


def outline(text) -> Shape:
    return Shape.of(text)


def helper(text):
    return text
"""
TREE = ast.parse(SOURCE)
NEVER = Never(manual_of(TREE), TREE, "shop", "/r/shop/grammar.py", frozenset({"helper"}))
RULES = make("Rules()", "rules"), value("Rules()", "shop.grammar.Rules")
TOKENS = make("TokenGrammar()", "tokens"), value("TokenGrammar()", "shop.grammar.TokenGrammar")
LINE = next(at for at, line in enumerate(SOURCE.splitlines(), 1) if "missed" in line)
ABSTRACT = next(at for at, line in enumerate(SOURCE.splitlines(), 1) if "NotImpl" in line)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (
            scenario((call("text_type('a').title()", "text_type.title"), value("'A'"))),
            Refusal.INHERITED,
        ),
        (
            scenario(RULES, (call("rules.visit_term(1, 2)", "Rules.visit_term"), value("1"))),
            Refusal.DISPATCHED,
        ),
        (scenario(RULES, (call("rules.lookup('a')", "Rules.lookup"), value("'a'"))), None),
        (
            scenario(RULES, (call("rules.parse('a')", "Grammar.parse"), value("'a'"))),
            Refusal.ANOTHERS,
        ),
        (scenario(TOKENS, (call("tokens.parse('a')", "Grammar.parse"), value("'a'"))), None),
        (scenario((call("helper('a')"), value("'a'"))), Refusal.INTERNAL),
    ],
)
def test_a_method_is_called_on_what_has_it_for_people(
    made: Scenario, expected: Refusal | None
) -> None:
    assert NEVER.refuses(made) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Shape.of('disc').items()", Refusal.INHERITED),
        ("list(outline('disc').keys())", Refusal.INHERITED),
        ("Shape.read('disc') | {}", Refusal.INHERITED),
        ("{} | Shape.read('disc')", Refusal.INHERITED),
        ("Shape.of('disc') | Shape.of('ring')", Refusal.INHERITED),
        ("Shape.of('disc') + 1", None),
        ("Shape.of('disc').of('ring')", None),
        ("Point.at(1).count(1)", Refusal.INHERITED),
        ("Point.at(1) + (2,)", Refusal.INHERITED),
        ("Point.at(1).x", None),
        ("parse('a').title()", None),
    ],
)
def test_a_result_is_not_asked_for_what_its_class_inherits_from_elsewhere(
    line: str, expected: Refusal | None
) -> None:
    assert NEVER.refuses(scenario((call(line, "outline"), value("1")))) is expected


def test_a_field_of_a_named_tuple_is_its_own() -> None:
    made = make("Point.at(1)", "point"), value("Point(1, 0)", "shop.grammar.Point")
    read = replace(call("point.x", "Point.x"), form=StepForm.READ)
    assert NEVER.refuses(scenario(made, (read, value("1")))) is None
    looked = replace(call("list(point)", "Point.__iter__"), form=StepForm.OPERATE)
    assert NEVER.refuses(scenario(made, (looked, value("[1, 0]")))) is Refusal.INHERITED


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        (
            call("tokens.parse('')", "Grammar.parse"),
            error("RuntimeError", "missed a spot", f"shop/grammar.py:parse:{LINE}"),
        ),
        (
            call("tokens.merge('a')", "Grammar.merge"),
            error("NotImplementedError", "", f"shop/grammar.py:merge:{ABSTRACT}"),
        ),
    ],
)
def test_a_mistake_of_the_module_and_an_open_place_are_no_promise(line: Step, seen: Seen) -> None:
    assert NEVER.refuses(scenario(TOKENS, (line, seen))) is Refusal.ACCIDENT


def test_printing_comes_to_nothing() -> None:
    story = scenario((call("print(helper('a'))", "helper"), value("None")))
    assert NEVER.says_nothing(story, Check(0, Relation.IS, "{}", Expression("None")))
