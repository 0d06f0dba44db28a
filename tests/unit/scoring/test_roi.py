import pytest

from reverie.model.evidence import Evidence
from reverie.model.judgement_sections import RoiSection
from reverie.model.outcome import IsolationTier
from reverie.model.roi import Risk, Severity
from reverie.scoring.raroi import adjust_for_risk, confidence_in, severity_of
from reverie.scoring.roi import roi_of


def evidence(**measures: float) -> Evidence:
    named = {name.replace("__", "."): value for name, value in measures.items()}
    return Evidence(named, 0, IsolationTier.NONE, ())


def test_benefit_and_cost_have_their_rates() -> None:
    found = evidence(mutants__newly_killed=3, coverage__new_branches=2, compute__minutes=10)
    roi = roi_of([found], RoiSection(), lines_changed=20, lines_added_outside_tests=10)
    assert roi.benefit_minutes == 3 * 4 + 2 * 1
    assert roi.cost_minutes == pytest.approx(10 * 0.01 + 20 * 0.25 + 10 * 0.1)
    assert roi.minutes == pytest.approx(14 - 6.1)
    assert roi.ratio == pytest.approx(14 / 6.1)


def test_a_review_takes_two_minutes_at_least() -> None:
    assert roi_of([], RoiSection(), lines_changed=1).cost_minutes == 2


def test_saved_time_counts_only_with_how_often_it_is_saved() -> None:
    seconds = evidence(speed__seconds_saved=30)
    assert roi_of([seconds], RoiSection(), lines_changed=1).benefit == ()
    both = evidence(speed__seconds_saved=30, speed__runs_per_week=10)
    assert roi_of([both], RoiSection(), lines_changed=1).benefit_minutes == 20


def test_learned_weights_scale_a_part() -> None:
    found = evidence(mutants__newly_killed=1)
    roi = roi_of([found], RoiSection(), lines_changed=1, weights={"mutants.newly_killed": 0.5})
    assert roi.benefit_minutes == 2


def test_risk_shrinks_a_gain_and_deepens_a_loss() -> None:
    risk = Risk(severity=Severity.CRITICAL, variation=1.0, failed_suites=1)
    assert adjust_for_risk(100, risk).minutes == pytest.approx(100 * (1 - 0.09) * 0.5 * 0.5)
    assert adjust_for_risk(-100, risk).minutes == pytest.approx(-100 * 1.09 * 4)
    assert adjust_for_risk(-1, Risk(failed_suites=9)).minutes == -10


@pytest.mark.parametrize(
    ("reach", "severity"),
    [(0.0, Severity.LOW), (0.05, Severity.STANDARD), (0.3, Severity.CRITICAL)],
)
def test_severity_comes_from_reach(reach: float, severity: Severity) -> None:
    assert severity_of(reach) is severity
    assert severity_of(reach, is_experimental=True) is Severity.EXPERIMENTAL


def test_confidence_starts_at_nothing() -> None:
    assert confidence_in([], []) == 0
    assert confidence_in([1.0] * 5, [1.0] * 5) == 0.5
    assert confidence_in([2.0, 2.0], [1.0, 3.0]) == pytest.approx(2 / 7 / 1.5)


def test_an_owner_lays_severity_down_by_path() -> None:
    section = RoiSection(severities=("src/*=standard", "src/billing/* = critical"))
    assert section.severity_of(["src/a.py", "docs/x.md"]) is Severity.STANDARD
    assert section.severity_of(["src/a.py", "src/billing/b.py"]) is Severity.CRITICAL
    assert section.severity_of(["docs/x.md"]) is None
