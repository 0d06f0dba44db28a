from datetime import UTC, datetime, timedelta

import pytest

from reverie.model.measurements.equivalence import Seen
from reverie.model.outcome import TestOutcome
from reverie.model.procedure import DreamTier
from reverie.scoring.procedures import compare, day_trend, measure_health, misfit
from reverie.scoring.roi import viability
from reverie.testing.cycles import procedure

NOW = datetime(2026, 3, 4, 5, tzinfo=UTC)


def test_health_is_what_the_definition_says() -> None:
    good, bad = TestOutcome.SUCCESS, TestOutcome.TYPE_ERROR
    one = {"tier": DreamTier.VIABLE, "viability_score": 0.9}
    dreams = [
        procedure(1, **one, novelty_score=0.8, test_outcome=good, cross_project_matches=2),
        procedure(2, **one, novelty_score=0.4, test_outcome=bad, cross_project_matches=1),
        procedure(3, tier=DreamTier.SPECULATIVE, viability_score=0.4, novelty_score=0.6),
        procedure(4, tier=DreamTier.ARCHIVE, viability_score=0.2, novelty_score=0.2),
    ]
    found = measure_health(dreams, [20.0, 100.0], NOW)
    novelty = 0.7 * 0.5 + 0.3 * 0.1
    quality = 0.5 * 0.6 + 0.3 * (2 + 0.6 + 0.2) / 4 + 0.2 * 0.5
    leverage = min(0.5 / 0.25, 1)
    efficiency = 30 / 60
    assert found.parts == pytest.approx(
        {"novelty": novelty, "quality": quality, "leverage": leverage, "efficiency": efficiency}
    )
    whole = 0.6 * novelty + 0.15 * quality + 0.15 * leverage + 0.1 * efficiency
    assert found.compound_health_score == pytest.approx(whole)
    assert (found.tier1_test_count, found.tier1_test_success_rate) == (2, 0.5)
    assert found.left_out == ()
    assert found.is_healthy is (whole > 0.6)


def test_a_part_without_data_is_left_out_and_said_so() -> None:
    found = measure_health([procedure(1, novelty_score=1.0)], [], NOW)
    assert found.left_out == ("quality", "leverage", "efficiency")
    assert found.compound_health_score == pytest.approx(0.7 + 0.03)
    assert found.tier1_test_success_rate is None


def test_no_dreams_have_no_health() -> None:
    found = measure_health([], [], NOW)
    assert found.compound_health_score is found.is_healthy is None
    assert found.total == found.tier1_test_count == 0


def test_the_trend_has_the_last_figures_of_each_day() -> None:
    metrics = [
        measure_health([procedure(1)] * count, [], NOW + timedelta(hours=hours))
        for count, hours in ((1, 0), (2, 1), (3, 24))
    ]
    trend = day_trend(list(reversed(metrics)))
    assert [(day, each.total) for day, each in trend] == [("2026-03-04", 2), ("2026-03-05", 3)]


def test_viability_is_the_posterior_mean_lowered_by_findings_and_size() -> None:
    assert viability(0, 0, 0, 0.0) == 0.5
    assert viability(8, 8, 0, 0.0) == 0.9
    assert viability(8, 8, 1, 0.0) == 0.45
    assert viability(8, 8, 0, 0.5) == pytest.approx(0.81)
    assert viability(8, 8, 0, 9.0) == pytest.approx(0.72)
    assert viability(8, 8, 0, -0.5) == 0.9


def _seen(value: str, outcome: TestOutcome = TestOutcome.SUCCESS) -> Seen:
    return Seen(outcome, value)


def test_a_comparison_counts_who_got_by_where() -> None:
    failed = TestOutcome.RUNTIME_ERROR
    base = [_seen("1"), _seen("1"), _seen("1"), _seen("E", failed), _seen("E", failed)]
    other = [_seen("1"), _seen("2"), _seen("E", failed), _seen("1"), _seen("F", failed)]
    found = compare(base, other)
    assert (found.same, found.different, found.more_robust, found.less_robust) == (2, 1, 1, 1)
    assert found.effectiveness == 0.8
    assert compare([], []).effectiveness is None


def test_a_result_is_held_against_its_declared_type_where_json_can_tell() -> None:
    seen = Seen(TestOutcome.SUCCESS, "None", plain=None, is_plain=True, type_name="NoneType")
    assert misfit(seen, "str") is not None
    assert misfit(seen, "str | None") is None
    assert misfit(seen, None) is None
    assert misfit(Seen(TestOutcome.SUCCESS, "<object>"), "str") is None
