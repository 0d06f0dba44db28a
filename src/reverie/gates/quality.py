"""The grade of a piece of code, from what was measured of it and the thresholds in force."""

from collections.abc import Sequence

from reverie.model.analysis_sections import QualitySection
from reverie.model.grade import Grade
from reverie.model.quality import GradedPart, Measure, Part, QualityVerdict

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
