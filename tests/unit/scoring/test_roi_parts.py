"""Every part of a ROI has its name, its quantity and its rate; every factor of risk is shown."""

import pytest

from reverie.model.evidence import Evidence
from reverie.model.judgement_sections import RoiSection
from reverie.model.outcome import IsolationTier
from reverie.model.roi import Risk, RiskAdjusted, RoiPart, Severity
from reverie.scoring.raroi import adjust_for_risk, confidence_in, rollback_probability
from reverie.scoring.roi import roi_of

SECTION = RoiSection()


def evidence(measures: dict[str, float]) -> Evidence:
    return Evidence(measures, 0, IsolationTier.NONE, ())


@pytest.mark.parametrize(
    ("measure", "rate"),
    [
        ("mutants.newly_killed", SECTION.killed_mutant),
        ("coverage.new_branches", SECTION.covered_branch),
        ("suite.mended", SECTION.mended_test),
        ("complexity.removed", SECTION.removed_complexity),
        ("findings.removed", SECTION.removed_finding),
        ("orphans.integrated", SECTION.integrated_orphan),
    ],
)
def test_each_benefit_is_a_part_of_its_own(measure: str, rate: float) -> None:
    found = roi_of([evidence({measure: 3.0})], SECTION, lines_changed=1)
    assert found.benefit == (RoiPart(measure, 3.0, rate),)


def test_saved_time_is_a_part_in_minutes_over_the_weeks() -> None:
    told = evidence({"speed.seconds_saved": 30.0, "speed.runs_per_week": 10.0})
    found = roi_of([told], SECTION, lines_changed=1)
    assert found.benefit == (RoiPart("speed.minutes_saved", 20.0, SECTION.saved_minute),)


def test_each_cost_is_a_part_of_its_own() -> None:
    told = evidence({"compute.minutes": 10.0, "complexity.added": 2.0, "tests.rework": 1.5})
    found = roi_of([told], SECTION, lines_changed=20, lines_added_outside_tests=7)
    assert found.cost == (
        RoiPart("compute.minutes", 10.0, SECTION.compute_minute),
        RoiPart("review.minutes", 5.0, 1.0),
        RoiPart("tests.rework", 1.5, SECTION.reworked_test),
        RoiPart("complexity.added", 2.0, SECTION.added_complexity),
        RoiPart("lines.added", 7, SECTION.added_line),
    )


def test_evidence_adds_up_measure_by_measure() -> None:
    trials = [
        evidence({"mutants.newly_killed": 1.0, "coverage.new_branches": 5.0}),
        evidence({"mutants.newly_killed": 2.0}),
    ]
    both = [roi_of(order, SECTION, lines_changed=1).benefit for order in (trials, trials[::-1])]
    assert both[0] == both[1]
    assert {part.name: part.quantity for part in both[0]} == {
        "mutants.newly_killed": 3.0,
        "coverage.new_branches": 5.0,
    }


def test_the_order_of_trials_makes_no_difference_to_the_last_bit() -> None:
    trials = [evidence({"compute.minutes": each}) for each in (0.1, 0.2, 0.3, 1e16)]
    costs = {roi_of(order, SECTION, lines_changed=1).cost[0] for order in (trials, trials[::-1])}
    assert len(costs) == 1


def test_a_weight_belongs_to_its_part_alone() -> None:
    told = evidence({"mutants.newly_killed": 1.0, "coverage.new_branches": 1.0})
    found = roi_of([told], SECTION, lines_changed=1, weights={"coverage.new_branches": 3.0})
    assert {part.name: part.weight for part in found.benefit} == {
        "mutants.newly_killed": 1.0,
        "coverage.new_branches": 3.0,
    }


def test_every_factor_of_risk_is_told() -> None:
    risk = Risk(2, 8, Severity.STANDARD, variation=0.25, failed_suites=2)
    found = adjust_for_risk(40.0, risk)
    chance = rollback_probability(2, 8)
    assert found == RiskAdjusted(
        40.0 * (1 - chance * 0.5) * 0.8 * 0.25, 40.0, chance, 0.5, 0.8, 0.25
    )


@pytest.mark.parametrize(
    ("risk", "stability", "safety"),
    [
        (Risk(), 1.0, 1.0),
        (Risk(variation=-3.0, failed_suites=-2), 1.0, 1.0),
        (Risk(variation=0.5), 1 / 1.5, 1.0),
        (Risk(failed_suites=1), 1.0, 0.5),
    ],
)
def test_nothing_known_to_be_wrong_takes_nothing_off(
    risk: Risk, stability: float, safety: float
) -> None:
    found = adjust_for_risk(10.0, risk)
    assert (found.stability, found.safety) == (pytest.approx(stability), safety)


@pytest.mark.parametrize("base", [0.0, 0.5])
def test_no_gain_and_a_small_one_are_no_loss(base: float) -> None:
    found = adjust_for_risk(base, Risk(severity=Severity.CRITICAL, failed_suites=1))
    assert found.minutes == pytest.approx(base * (1 - 0.1 * 0.9) * 0.5)


@pytest.mark.parametrize(
    ("bad", "kept", "chance"), [(0, 0, 0.1), (1, 0, 2 / 11), (0, 10, 1 / 20), (3, 7, 4 / 20)]
)
def test_the_chance_of_a_rollback_is_learned_from_a_prior_of_one_in_ten(
    bad: int, kept: int, chance: float
) -> None:
    assert rollback_probability(bad, kept) == pytest.approx(chance)


def test_predictions_and_outcomes_come_in_pairs() -> None:
    with pytest.raises(ValueError, match="zip"):
        confidence_in([1.0, 2.0], [1.0])


@pytest.mark.parametrize(
    ("predicted", "real", "confidence"),
    [
        ([3.0, 3.0], [3.5, 3.5], 0.0),  # wrong about what never varies: nothing to trust
        ([3.0, 4.0], [3.0, 3.5], 2 / 7 / 1.5),
        ([1.0, 2.0, 4.0], [1.0, 2.0, 4.0], 3 / 8),
    ],
)
def test_confidence_falls_with_the_error_as_a_share_of_the_spread(
    predicted: list[float], real: list[float], confidence: float
) -> None:
    assert confidence_in(predicted, real) == pytest.approx(confidence)
