"""The questions that a `where` clause may ask, by name, and what they all need.

A question is handed the place that was found and what its holes stand for. `let` takes the text
that it answers, and `at` the statement. Whatever is not known for sure is answered with no.
"""

import ast

from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.pairs import Found
from reverie.dreamers.rewriting.repeats import kind_inside
from reverie.syntax.patterns.conditions import Question
from reverie.syntax.patterns.matching import Bound

QUESTIONS: dict[str, Question] = {}
_QUALITIES = {
    "hashable": "is_hashable",
    "exact": "is_exact",
    "ordered": "is_ordered",
    "whole": "is_whole_number",
}


def question(ask: Question) -> Question:
    """Make a function one of the questions, by its name."""
    QUESTIONS[getattr(ask, "__name__", "")] = ask
    return ask


def nodes_of(bound: Bound) -> list[ast.AST]:
    """What a hole stands for as nodes: none of words."""
    if isinstance(bound, tuple):
        return list(bound)
    return [bound] if isinstance(bound, ast.AST) else []


def kind_of(found: Found, node: Bound) -> Kind | None:
    """The kind of what a hole stands for, where comprehensions bind names of their own."""
    return kind_inside(found.scene, node) if isinstance(node, ast.expr) else None


def has_quality(kind: Kind | None, quality: str) -> bool:
    """Whether a kind is known to be of a type, or to have a quality."""
    if kind is None:
        return False
    named = _QUALITIES.get(quality)
    return kind.name == quality if named is None else bool(getattr(kind, named))
