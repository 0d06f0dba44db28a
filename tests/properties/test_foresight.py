"""Foresight, synergy and governance: what no series and no rule may break."""

from hypothesis import given
from hypothesis import strategies as st

from reverie.gates.governance import (
    ExpressionError,
    Outlook,
    Question,
    Rule,
    apply_rules,
    decide_deployment,
    holds,
    parse_condition,
    unsafe_reasons,
)
from reverie.model.foresight import (
    CollapseRisk,
    CycleMetrics,
    DeploymentVerdict,
    ReasonCode,
    RiskLabel,
)
from reverie.scoring.forecasting import forecast
from reverie.scoring.roi import FEW_DECISIONS, confidence_in
from reverie.scoring.synergy import best_subset, worth_together
from reverie.scoring.trajectory import collapse_risk

numbers = st.floats(-1e4, 1e4)
anything = st.one_of(st.none(), st.floats())
SAFE = CollapseRisk(RiskLabel.STABLE, False, 0.0, 0.0, None, 0.9, 10)


@given(st.lists(anything, max_size=14))
def test_any_series_has_a_label_and_no_negative_level_is_stable_unless_it_rises(
    worths: list[float | None],
) -> None:
    found = collapse_risk([CycleMetrics(roi_delta=each) for each in worths])
    assert (found.risk is RiskLabel.UNKNOWN) == (found.n < 5)
    assert 0 <= found.confidence < 1
    if found.risk is RiskLabel.STABLE and found.slope is not None and found.slope <= 0:
        recent = [each for each in worths if each is not None and each == each][-3:]
        assert max(recent) >= 0


@given(st.lists(numbers, min_size=5, max_size=20), st.integers(1, 5))
def test_a_forecast_lies_within_its_intervals_and_moves_with_its_history(
    worths: list[float], ahead: int
) -> None:
    found = forecast(worths, ahead)
    assert found is not None
    assert len(found.projections) == ahead
    for each in found.projections:
        assert each.low95 <= each.low80 <= each.value <= each.high80 <= each.high95


@given(
    st.lists(st.tuples(numbers, numbers), min_size=1, max_size=10),
    st.integers(1, 10),
    st.sampled_from([0.0, FEW_DECISIONS]),
)
def test_more_evidence_of_the_same_never_lowers_confidence(
    pairs: list[tuple[float, float]], times: int, patience: float
) -> None:
    told, real = [one for one, _ in pairs], [two for _, two in pairs]
    more = confidence_in(told * (times + 1), real * (times + 1), patience=patience)
    assert more >= confidence_in(told, real, patience=patience) - 1e-9


@given(st.lists(numbers, max_size=5), st.floats(), st.dictionaries(st.text(max_size=2), anything))
def test_the_gate_never_passes_what_it_cannot_judge(
    projected: list[float], confidence: float, impact: dict[str, float | None]
) -> None:
    reasons = unsafe_reasons(Outlook(projected, confidence, SAFE, impact))
    losses = [each for each in impact.values() if each is not None and not each >= 0]
    is_safe = bool(projected) and min(projected, default=0) >= 0 and confidence >= 0.6
    assert (not reasons) == (
        is_safe
        and not losses
        and confidence != float("inf")
        and float("inf") not in impact.values()
    )


@given(st.text(max_size=60), st.dictionaries(st.sampled_from("abc"), anything))
def test_any_text_is_a_condition_or_an_error_of_the_language(
    text: str, known: dict[str, float | None]
) -> None:
    try:
        assert holds(parse_condition(text), known) in (True, False)
    except ExpressionError:
        return


verdicts = st.sampled_from(DeploymentVerdict)
conditions = st.sampled_from(["true_", "x > 1", "missing < 2", "x / 0 > 1", "not (x > 1)", "x"])
rules = st.builds(
    lambda when, verdict: Rule("r", parse_condition(when), verdict, "because"), conditions, verdicts
)


@given(st.lists(rules, max_size=4), st.lists(rules, max_size=4))
def test_more_rules_never_make_it_easier(some: list[Rule], more: list[Rule]) -> None:
    known = {"x": 2.0, "true_": True}
    before, after = apply_rules(some, known), apply_rules([*some, *more], known)
    assert after.verdict.severity >= before.verdict.severity


@given(st.sets(st.sampled_from(ReasonCode)), st.booleans(), st.text(max_size=5))
def test_only_a_question_without_a_doubt_is_promoted(
    reasons: set[ReasonCode], has_bucket: bool, alignment: str
) -> None:
    for said in ("pass", alignment):
        question = Question("w", said, {}, tuple(reasons), 0.0, 0.0, has_bucket)
        verdict = decide_deployment(question).verdict
        assert (verdict is DeploymentVerdict.PROMOTE) == (said == "pass" and not reasons)
        if said == "pass" and ReasonCode.UNKNOWN in reasons:
            assert verdict is DeploymentVerdict.HOLD


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(-50, 50), max_size=6))
def test_the_best_set_is_worth_no_less_than_any_other(worths: dict[str, int]) -> None:
    chosen = best_subset(worths)
    assert set(chosen) == {name for name, worth in worths.items() if worth > 0}
    assert worth_together(chosen, worths, {}) >= 0
