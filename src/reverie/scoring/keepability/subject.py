"""What a test is about: the callable that its name begins with, and how easily a reader follows it.

Of two tests that are written alike, a maintainer sooner keeps that of a short function whose docs
show an example than that of a long method: what the one promises can be seen, what the other does
has many conditions. This belongs to the probability that a change is kept, not to the bar that a
test has to pass: long methods need tests too.
"""

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reverie.syntax.nodes import Function
from reverie.syntax.parsing import NOT_PYTHON, parse_module

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MANY_STATEMENTS, _MOST = 10, 3.0
WEIGHTS = {"statements": -0.66, "method": -0.85, "example": 0.91}
"""Fitted by `python -m benchmarks.keepable.subjects`, copied from there."""
MEANS = {"statements": 0.84, "method": 0.40, "example": 0.13}
"""Of the labelled tests by Reverie."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A function, a method or a class as a whole."""

    statements: int
    is_method: bool
    has_example: bool

    @property
    def facts(self) -> Mapping[str, float]:
        """As the weights take them."""
        return {
            "statements": min(self.statements / _MANY_STATEMENTS, _MOST),
            "method": float(self.is_method),
            "example": float(self.has_example),
        }


def subjects_in(source: str) -> Mapping[str, Subject]:
    """The callables of a module by the words that tests of them are named with."""
    try:
        tree = parse_module(source)
    except NOT_PYTHON:
        return {}
    found: dict[str, Subject] = {}
    for name, each in _subjects(tree, ""):
        found.setdefault(name, each)
    return found


def subject_of(test: str, subjects: Mapping[str, Subject]) -> Subject | None:
    """The one that a test is named after, the longest name that fits; None: it does not say."""
    words = test.rpartition(".")[2].removeprefix("test_")
    fitting = [each for each in subjects if words == each or words.startswith(f"{each}_")]
    return subjects[max(fitting, key=len)] if fitting else None


def kept_with(score: float, facts: Mapping[str, float]) -> float:
    """The probability that a test of a keepability is kept, given what it is about.

    Facts of the average subject, or none, leave it as it is.
    """
    odds = math.log(score / (1 - score)) if 0 < score < 1 else math.copysign(30, score - 0.5)
    odds += sum(WEIGHTS[name] * (facts[name] - MEANS[name]) for name in facts)
    return 1 / (1 + math.exp(-odds))


def _subjects(parent: ast.AST, owner: str) -> Iterator[tuple[str, Subject]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, Function | ast.ClassDef):
            own = _snake(node.name)
            found = _subject(node, is_method=bool(owner) and isinstance(node, Function))
            yield own, found
            if owner:
                yield f"{owner}_{own}", found
        if isinstance(node, ast.ClassDef):
            yield from _subjects(node, own)
        elif isinstance(node, ast.If | ast.Try):
            yield from _subjects(node, owner)


def _subject(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, is_method: bool
) -> Subject:
    words = ast.get_docstring(node) or ""
    inner = sum(isinstance(each, ast.stmt) for each in ast.walk(node)) - 1
    return Subject(inner - bool(words), is_method, ">>>" in words)


def _snake(name: str) -> str:
    return _CAPITAL.sub("_", name).lower().strip("_")
