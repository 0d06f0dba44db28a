"""Worth in points: value by its parts, what a reviewer pays, and the probability of being kept."""

import math

import pytest

from reverie.gates.proof import Bar, rule_on_worth
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, NeedKind
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import Risk, RoiPart, Settled, Severity
from reverie.scoring.keep_probability import PRIORS, kept_chance
from reverie.scoring.roi import (
    Terms,
    adjust_for_risk,
    amounts_of,
    confidence_in,
    diminished,
    roi_of,
    severity_of,
    told_amounts,
)

SECTION = RoiSection()


def evidence(measures: dict[str, float], **details: tuple[str, ...]) -> Evidence:
    named = {name.replace("__", "."): value for name, value in details.items()}
    return Evidence(measures, 0, IsolationTier.NONE, (), details=named)


def test_a_value_has_its_parts_and_a_review_its_lines() -> None:
    found = evidence({"suite.mended": 2.0, "orphans.integrated": 1.0, "tests.rework": 0.5})
    roi = roi_of([found], Terms(SECTION, 20, kept_probability=0.5))
    assert roi.value == 2 * SECTION.mended_test + SECTION.integrated_orphan
    assert roi.cost_points == pytest.approx(
        20 * SECTION.reviewed_line + 0.5 * SECTION.reworked_test
    )
    assert roi.points == pytest.approx(roi.value / 2 - roi.cost_points)
    assert roi.ratio == pytest.approx(roi.value / 2 / roi.cost_points)


@pytest.mark.parametrize(
    ("measure", "rate"),
    [
        ("lint.mended", SECTION.clarity),
        ("speed.doublings", SECTION.doubling),
        ("speed.profile_share", SECTION.profile_share),
        ("speed.growth_classes", SECTION.growth_class),
        ("suite.mended", SECTION.mended_test),
        ("findings.removed", SECTION.mended_finding),
        ("orphans.integrated", SECTION.integrated_orphan),
    ],
)
def test_each_benefit_is_a_part_of_its_own(measure: str, rate: float) -> None:
    assert roi_of([evidence({measure: 3.0})], Terms(SECTION, 1)).benefit == (
        RoiPart(measure, 3.0, rate),
    )


def test_what_nobody_measured_is_worth_nothing_known() -> None:
    roi = roi_of([evidence({"mutants.newly_killed": 9.0})], Terms(SECTION, 1))
    assert (roi.benefit, roi.points, roi.ratio) == ((), None, None)


def test_the_kth_condition_of_a_function_counts_less_and_a_hot_file_more() -> None:
    told = evidence(
        {"conditions.protected": 5.0}, conditions__protected=("hot.py:f=4", "cold.py:g=1")
    )
    heat = {"hot.py:f": 2.0, "cold.py:g": 0.5}
    (part,) = roi_of([told], Terms(SECTION, 1, heat=heat.__getitem__)).benefit
    assert part.quantity == 5
    assert part.counted == pytest.approx(2 * (1 + 2**-0.5 + 3**-0.5 + 4**-0.5) + 0.5)


def test_ten_in_ten_functions_are_worth_more_than_ten_in_one() -> None:
    spread = evidence(
        {"conditions.protected": 10.0},
        conditions__protected=tuple(f"a.py:f{n}=1" for n in range(10)),
    )
    one = evidence({"conditions.protected": 10.0}, conditions__protected=("a.py:f=10",))
    worths = [roi_of([each], Terms(SECTION, 1)).value for each in (spread, one)]
    assert worths[0] == pytest.approx(10)
    assert worths[1] < worths[0] / 1.9


def test_parts_of_a_unit_count_their_part_and_losses_count_whole() -> None:
    assert diminished(0.5) == 0.5
    assert diminished(1.5) == pytest.approx(1 + 0.5 / math.sqrt(2))
    assert diminished(-3.0) == -3.0


def test_amounts_go_through_names_and_back() -> None:
    amounts = {"a.py:f": 2.0, "b=c.py:g": 0.25}
    assert amounts_of(told_amounts(amounts)) == amounts
    assert amounts_of(("a.py:f=many", "b.py:g=nan")) == {}


def test_a_thirteenfold_speed_up_is_no_loss() -> None:
    fast = evidence({"speed.doublings": math.log2(13), "complexity.added": 2.0})
    roi = roi_of([fast], Terms(SECTION, 40, kept_probability=0.5))
    assert adjust_for_risk(roi.points or 0.0, Risk(severity=Severity.CRITICAL)).points > 0


def test_learned_weights_scale_a_part() -> None:
    found = roi_of(
        [evidence({"suite.mended": 1.0})], Terms(SECTION, 1, weights={"suite.mended": 2})
    )
    assert found.value == 2 * SECTION.mended_test


def test_the_order_of_trials_makes_no_difference_to_the_last_bit() -> None:
    trials = [evidence({"speed.doublings": each}) for each in (0.1, 0.2, 0.3, 1e16)]
    assert len({roi_of(order, Terms(SECTION, 1)).value for order in (trials, trials[::-1])}) == 1


def test_the_prior_of_tests_is_what_their_text_says() -> None:
    assert kept_chance("test").probability == PRIORS["test"]
    assert kept_chance("test", keepability=0.7).probability == 0.7


def test_decisions_of_people_move_the_probability() -> None:
    kept, refused = (Settled("refactor", "refactor", is_kept) for is_kept in (True, False))
    chances = [
        kept_chance("refactor", some).probability for some in ([refused] * 8, [], [kept] * 8)
    ]
    assert chances == sorted(chances)
    assert chances[0] == pytest.approx(4 * 0.5 / 12)
    assert kept_chance("refactor", [kept, refused]).decisions == 2


def test_risk_shrinks_a_gain_and_deepens_a_loss() -> None:
    risk = Risk(severity=Severity.CRITICAL, variation=1.0, failed_suites=1)
    assert adjust_for_risk(100, risk).points == pytest.approx(100 * (1 - 0.09) * 0.5 * 0.5)
    assert adjust_for_risk(-100, risk).points == pytest.approx(-100 * 1.09 * 4)
    assert adjust_for_risk(-1, Risk(failed_suites=9)).points == -10


def test_a_factor_that_was_not_measured_is_absent_and_not_one() -> None:
    found = adjust_for_risk(10.0, Risk())
    assert (found.stability, found.safety) == (None, None)
    measured = adjust_for_risk(10.0, Risk(variation=0.0, failed_suites=0))
    assert (measured.stability, measured.safety) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("reach", "severity"),
    [(0.0, Severity.LOW), (0.05, Severity.STANDARD), (0.3, Severity.CRITICAL)],
)
def test_severity_comes_from_reach(reach: float, severity: Severity) -> None:
    assert severity_of(reach) is severity
    assert severity_of(reach, is_experimental=True) is Severity.EXPERIMENTAL


def test_confidence_grows_with_repetitions_and_falls_with_wrong_predictions() -> None:
    assert confidence_in([], []) == 0
    assert confidence_in([], [], repetitions=5) == 0.5
    assert confidence_in([1.0] * 5, [1.0] * 5) == 0.5
    assert confidence_in([2.0, 2.0, 2.0], [1.0, 3.0, 2.0]) == pytest.approx(3 / 8 / (1 + 1 / 3))
    assert confidence_in([3.0] * 3, [3.5] * 3) == pytest.approx(3 / 8 / 2)
    assert confidence_in([3.0] * 3, [3.5] * 3, patience=3.0) == pytest.approx(3 / 8 / 1.5)
    with pytest.raises(ValueError, match="zip"):
        confidence_in([1.0, 2.0], [1.0])


def test_an_owner_lays_severity_down_by_path() -> None:
    section = RoiSection(severities=("src/*=standard", "src/billing/* = critical"))
    assert section.severity_of(["src/a.py", "docs/x.md"]) is Severity.STANDARD
    assert section.severity_of(["src/a.py", "src/billing/b.py"]) is Severity.CRITICAL
    assert section.severity_of(["docs/x.md"]) is None


@pytest.mark.parametrize(
    ("score", "answer", "code"),
    [
        ({"raroi": -2.0, "roi": -1.8, "confidence": 0.0}, Answer.FAIL, "worth_not_positive"),
        ({"raroi": 0.0, "roi": 0.0, "confidence": 1.0}, Answer.FAIL, "worth_not_positive"),
        ({"raroi": math.nan, "roi": 1.0, "confidence": 1.0}, Answer.FAIL, "worth_not_positive"),
        ({}, Answer.HOLD, "worth_not_measured"),
        ({"raroi": 0.5, "roi": 0.6, "confidence": 1.0}, Answer.FAIL, "roi_below_minimum"),
        ({"raroi": 1.5, "roi": 1.6, "confidence": 1.0}, Answer.PASS, "ok"),
    ],
)
def test_what_is_worth_nothing_never_passes(
    score: dict[str, float], answer: Answer, code: str
) -> None:
    found = rule_on_worth(score, Bar(0.4, least_roi=1.0))
    (ruling,) = found.rulings
    assert (ruling.gate, ruling.verdict, ruling.reason_code) == ("worth", answer, code)
    assert found.needs == ()


def test_below_the_confidence_of_the_setting_a_person_has_to_say_yes() -> None:
    score = {"raroi": 1.0, "roi": 1.0, "confidence": 0.39}
    (need,) = rule_on_worth(score, Bar(0.4)).needs
    assert (need.kind, need.count) == (NeedKind.APPROVALS, 1)
    assert rule_on_worth({**score, "confidence": 0.4}, Bar(0.4)).needs == ()
