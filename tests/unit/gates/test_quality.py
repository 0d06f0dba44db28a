from dataclasses import replace

import pytest

from reverie.gates.quality import grade_figure, grade_quality, is_good_enough, thresholds_of
from reverie.model.repository.quality import Grade, Measure, Part, QualityVerdict
from reverie.model.settings.analysis import QualitySection

SECTION = QualitySection()
WEIGHED = [part for part in Part if part is not Part.SYNTAX]
BEST = {part: 1.0 if part is Part.DOCSTRINGS else 0.0 for part in Part}


def measures(**figures: float | None) -> list[Measure]:
    """Everything at its best, but for what is given."""
    return [Measure(part, "", figures.get(part, BEST[part])) for part in Part]


def test_all_at_its_best_is_excellent() -> None:
    verdict = grade_quality(measures(), SECTION)
    assert (verdict.grade, verdict.score, verdict.capped_by) == (Grade.EXCELLENT, 4.0, None)


@pytest.mark.parametrize("part", WEIGHED)
def test_a_figure_on_a_threshold_still_has_its_grade(part: Part) -> None:
    steps = thresholds_of(part, SECTION)
    worse = -1e-9 if part is Part.DOCSTRINGS else 1e-9
    grades = list(Grade)
    for number, step in enumerate(steps):
        assert grade_figure(part, step, steps) is grades[number]
        assert grade_figure(part, step + worse, steps) is grades[number + 1]


def test_the_score_is_the_mean_by_weight() -> None:
    section = replace(SECTION, weight_lint=3.0)
    verdict = grade_quality(measures(lint=1000), section)
    assert verdict.score == pytest.approx((0 * 3 + 4 * (1 + 1 + 0.5 + 1.5 + 1)) / 8)
    assert verdict.grade is Grade.GOOD


def test_a_part_without_a_figure_is_left_out_and_the_others_stand_for_the_whole() -> None:
    verdict = grade_quality(measures(types=None, lint=1000), SECTION)
    assert verdict.score == pytest.approx(4 * 4 / 5)
    types = next(each for each in verdict.parts if each.measure.part is Part.TYPES)
    assert (types.grade, types.weight) == (None, 0)


def test_a_weight_of_nothing_leaves_a_part_out_of_the_score_but_shows_its_grade() -> None:
    verdict = grade_quality(measures(lint=1000), replace(SECTION, weight_lint=0.0))
    assert verdict.score == 4.0
    assert next(e for e in verdict.parts if e.measure.part is Part.LINT).grade is Grade.REJECT


def test_nothing_known_is_no_grade() -> None:
    nothing = [Measure(part, "", None) for part in WEIGHED]
    assert grade_quality(nothing, SECTION).grade is None
    assert grade_quality([], SECTION) == QualityVerdict(None, None, ())


def test_a_file_that_does_not_parse_rejects_the_whole() -> None:
    verdict = grade_quality(measures(syntax=1), SECTION)
    assert (verdict.grade, verdict.capped_by) == (Grade.REJECT, Part.SYNTAX)


def test_good_style_does_not_make_up_for_security() -> None:
    verdict = grade_quality(measures(security=4), SECTION)
    assert (verdict.grade, verdict.capped_by) == (Grade.NEEDS_WORK, Part.SECURITY)
    assert verdict.score == pytest.approx((6 * 4 - 3 * 1.5) / 6)


def test_one_critical_finding_needs_work_however_rare() -> None:
    rare = [m for m in measures() if m.part is not Part.SECURITY]
    critical = Measure(Part.SECURITY, "", 0.001, has_critical=True)
    assert grade_quality([*rare, critical], SECTION).grade is Grade.NEEDS_WORK
    many = replace(critical, figure=1000)
    assert grade_quality([*rare, many], SECTION).grade is Grade.REJECT


@pytest.mark.parametrize(
    ("grade", "minimum", "expected"),
    [
        (Grade.GOOD, Grade.GOOD, True),
        (Grade.EXCELLENT, Grade.GOOD, True),
        (Grade.ACCEPTABLE, Grade.GOOD, False),
        (Grade.REJECT, Grade.REJECT, True),
        (None, Grade.REJECT, False),
    ],
)
def test_good_enough(grade: Grade | None, minimum: Grade, expected: bool) -> None:
    assert is_good_enough(QualityVerdict(grade, None, ()), minimum) is expected
