"""Worth and risk: what no set of numbers may break."""

from hypothesis import given
from hypothesis import strategies as st

from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Evidence
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import Risk, Severity
from reverie.scoring.roi import Terms, adjust_for_risk, confidence_in, roi_of, rollback_probability

MEASURES = ("conditions.protected", "clarity.gained", "suite.mended", "speed.doublings",
            "complexity.added", "compute.minutes", "findings.removed", "other")  # fmt: skip
amounts = st.dictionaries(st.sampled_from(MEASURES), st.integers(0, 50).map(float))
points = st.floats(-1e6, 1e6)
risks = st.builds(
    Risk,
    rolled_back=st.integers(0, 50),
    kept=st.integers(0, 50),
    severity=st.sampled_from(Severity),
    variation=st.floats(0, 10),
    failed_suites=st.integers(0, 4),
)


def evidence(measures: dict[str, float]) -> Evidence:
    return Evidence(measures, 0, IsolationTier.NONE, ())


@given(points, risks, st.integers(0, 5), st.floats(0, 3), st.integers(0, 3))
def test_more_risk_never_raises_worth(
    base: float, risk: Risk, worse: int, shakier: float, failed: int
) -> None:
    more = Risk(
        risk.rolled_back + worse,
        risk.kept,
        risk.severity,
        (risk.variation or 0.0) + shakier,
        (risk.failed_suites or 0) + failed,
    )
    assert adjust_for_risk(base, more).points <= adjust_for_risk(base, risk).points + 1e-9


@given(points, risks)
def test_risk_never_makes_anything_look_better(base: float, risk: Risk) -> None:
    assert adjust_for_risk(base, risk).points <= base
    if base < 0:
        assert adjust_for_risk(base, risk).points >= 10 * base


@given(st.integers(0, 100), st.integers(0, 100))
def test_a_rollback_is_never_certain_nor_impossible(bad: int, good: int) -> None:
    assert 0 < rollback_probability(bad, good) < 1
    assert rollback_probability(0, 0) == 0.1


@given(
    st.lists(amounts, max_size=4).flatmap(
        lambda some: st.tuples(st.just(some), st.permutations(some))
    )
)
def test_the_order_of_evidence_does_not_matter(
    both: tuple[list[dict[str, float]], list[dict[str, float]]],
) -> None:
    first, second = (
        roi_of([evidence(each) for each in some], Terms(RoiSection(), 10)) for some in both
    )
    assert first.points == second.points
    assert {p.name for p in first.benefit} == {p.name for p in second.benefit}


@given(amounts)
def test_what_nobody_measured_is_no_part(measures: dict[str, float]) -> None:
    roi = roi_of([evidence(measures)], Terms(RoiSection(), 0))
    assert {part.name for part in roi.benefit} <= set(measures)
    if not roi.benefit:
        assert roi.points is None
        assert roi.ratio is None


@given(st.lists(st.tuples(points, points), max_size=20))
def test_confidence_is_a_share_that_grows_with_good_predictions(
    pairs: list[tuple[float, float]],
) -> None:
    guesses, truths = [a for a, _ in pairs], [b for _, b in pairs]
    found = confidence_in(guesses, truths)
    assert 0 <= found < 1
    assert confidence_in(truths, truths) >= found
