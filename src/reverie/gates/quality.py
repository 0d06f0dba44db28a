"""The grade of a piece of code, from what was measured of it and the thresholds in force.

Clarity is how hard code is to follow: decisions, and the more the deeper they are nested.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.model.repository.quality import Grade, GradedPart, Measure, Part, QualityVerdict
from reverie.model.settings.analysis import QualitySection
from reverie.syntax.parsing import parse_module

_NESTING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match)
_DECIDING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case,
             ast.Assert)  # fmt: skip
_HIDDEN = {"map": 1, "starmap": 1, "reduce": 1, "filter": 2, "filterfalse": 2, "takewhile": 2,
           "dropwhile": 2}  # fmt: skip
"""Calls that go through all there is, as a loop does; some of them choose as well."""


@dataclass(frozen=True, slots=True)
class Clarity:
    """Two figures of a text: less is easier to read."""

    nesting: int
    """A point for every decision, and one more for each block around it."""
    nodes: int
    """Pieces of syntax."""

    def gain_over(self, before: "Clarity") -> tuple[int, int]:
        """What is saved; sorts by nesting first."""
        return before.nesting - self.nesting, before.nodes - self.nodes


def clarity_of(text: str) -> Clarity:
    """Of a text that Python can read."""
    tree = parse_module(text)
    return Clarity(nesting_of(tree), sum(1 for _ in ast.walk(tree)))


def nesting_of(node: ast.AST, depth: int = 0) -> int:
    """Points of all that stands in a piece of code; a boolean expression is one, however long."""
    total = 0
    for child in ast.iter_child_nodes(node):
        is_elif = isinstance(child, ast.If) and isinstance(node, ast.If) and node.orelse == [child]
        if isinstance(child, _DECIDING):
            total += 1 if is_elif else 1 + depth
        if isinstance(child, ast.BoolOp):
            total += 1
        deeper = isinstance(child, _NESTING) and not is_elif
        total += _hidden_loops(child) + nesting_of(child, depth + deeper)
    return total


def decisions_of(tree: ast.AST) -> int:
    """How often the way through a piece of code parts: cyclomatic complexity without its one."""
    total = 0
    for node in ast.walk(tree):
        if isinstance(node, _DECIDING):
            total += 1
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
        else:
            total += _hidden_loops(node)
    return total


def _hidden_loops(node: ast.AST) -> int:
    """A comprehension, or the call that does the same: `map(f, xs)` and `[f(x) for x in xs]`."""
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return _HIDDEN.get(name, 0)
    return 0


_HIGHER_IS_BETTER = frozenset({Part.DOCSTRINGS})
_CAPPING = frozenset({Part.SYNTAX, Part.SECURITY})
"""The whole is never better than these parts: good style does not make up for them."""
_BEST_WITH_CRITICAL = Grade.NEEDS_WORK


def grade_quality(measures: Sequence[Measure], section: QualitySection) -> QualityVerdict:
    """Every part's grade, and the grade of the whole.

    The whole is the mean of the parts' points by weight, to the nearest grade, halves upwards.
    A part without a figure is left out and the weights of the others stand for the whole.
    """
    parts = tuple(_grade_part(measure, section) for measure in measures)
    known = [part for part in parts if part.grade is not None and part.weight > 0]
    total = sum(part.weight for part in known)
    if not total:
        return QualityVerdict(None, None, parts)
    score = sum(part.grade.points * part.weight for part in known if part.grade) / total
    best = _nearest(score)
    worst = min(
        (part for part in parts if part.grade is not None and part.measure.part in _CAPPING),
        key=lambda part: part.grade.points if part.grade else 0,
        default=None,
    )
    if worst is None or worst.grade is None or worst.grade.points >= best.points:
        return QualityVerdict(best, score, parts)
    return QualityVerdict(worst.grade, score, parts, worst.measure.part)


def is_good_enough(verdict: QualityVerdict, minimum: Grade) -> bool:
    """Whether the grade reaches the minimum. What could not be graded does not."""
    return verdict.grade is not None and verdict.grade.points >= minimum.points


def _grade_part(measure: Measure, section: QualitySection) -> GradedPart:
    if measure.part is Part.SYNTAX:
        broken = measure.figure is not None and measure.figure > 0
        return GradedPart(measure, Grade.REJECT if broken else Grade.EXCELLENT, 0.0)
    steps, weight = thresholds_of(measure.part, section), _weight_of(measure.part, section)
    if measure.figure is None:
        return GradedPart(measure, None, 0.0)
    grade = grade_figure(measure.part, measure.figure, steps)
    if measure.has_critical and grade.points > _BEST_WITH_CRITICAL.points:
        grade = _BEST_WITH_CRITICAL
    return GradedPart(measure, grade, weight)


def grade_figure(part: Part, figure: float, steps: Sequence[float]) -> Grade:
    """The first grade whose step the figure reaches; the last has none."""
    for grade, step in zip(Grade, steps, strict=False):
        if figure >= step if part in _HIGHER_IS_BETTER else figure <= step:
            return grade
    return Grade.REJECT


def thresholds_of(part: Part, section: QualitySection) -> tuple[float, ...]:
    """Where the grades of a part end, best first. A file that does not parse has no second best."""
    return {
        Part.SYNTAX: (),
        Part.LINT: section.lint,
        Part.TYPES: section.types,
        Part.COMPLEXITY: section.complexity,
        Part.DOCSTRINGS: section.docstrings,
        Part.SECURITY: section.security,
        Part.DUPLICATION: section.duplication,
    }[part]


def _weight_of(part: Part, section: QualitySection) -> float:
    return {
        Part.SYNTAX: 0.0,
        Part.LINT: section.weight_lint,
        Part.TYPES: section.weight_types,
        Part.COMPLEXITY: section.weight_complexity,
        Part.DOCSTRINGS: section.weight_docstrings,
        Part.SECURITY: section.weight_security,
        Part.DUPLICATION: section.weight_duplication,
    }[part]


def _nearest(score: float) -> Grade:
    return next(grade for grade in Grade if score >= grade.points - 0.5)
