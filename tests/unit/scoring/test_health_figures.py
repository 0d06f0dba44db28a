"""Every figure of the journal's health, and where each of them turns."""

from datetime import UTC, datetime

import pytest

from reverie.model.measurements.equivalence import Seen
from reverie.model.outcome import TestOutcome
from reverie.model.procedure import DreamMetrics, DreamTier
from reverie.scoring.procedures import WEIGHTS, Comparison, compare, measure_health, misfit
from reverie.scoring.roi import Gate, gate_by_gains, moving_averages
from reverie.testing.cycles import procedure

NOW = datetime(2026, 3, 4, 5, tzinfo=UTC)


def health(dreams: list[dict[str, object]], seconds: tuple[float, ...] = ()) -> DreamMetrics:
    unknown = {"novelty_score": None}
    found = [procedure(number, **{**unknown, **each}) for number, each in enumerate(dreams)]
    return measure_health(found, seconds, NOW)


def part(name: str, dreams: list[dict[str, object]], seconds: tuple[float, ...] = ()) -> object:
    return health(dreams, seconds).parts[name]


def viable(**more: object) -> dict[str, object]:
    return {"tier": DreamTier.VIABLE, **more}


def test_every_figure_is_told() -> None:
    good, bad = TestOutcome.SUCCESS, TestOutcome.RUNTIME_ERROR
    dreams = [
        viable(novelty_score=0.7, test_outcome=good, cross_project_matches=3),
        viable(novelty_score=0.5, viability_score=0.75, test_outcome=bad),
        {"tier": DreamTier.ARCHIVE, "viability_score": 0.25, "test_outcome": good},
        {"cross_project_matches": 5},
    ]
    found = health(dreams, (60.0,))
    novelty = 0.7 * 0.6 + 0.3 * 0.1
    quality = 0.5 * 0.5 + 0.3 * (1.0 + 1.0 + 0.2) / 3 + 0.2 * 0.5
    assert found == DreamMetrics(
        measured_at=NOW,
        total=4,
        by_tier={"viable": 2, "speculative": 0, "archive": 1},
        mean_novelty=pytest.approx(0.6),
        high_novelty=1,
        mean_viability=0.5,
        tier1_test_success_rate=0.5,
        tier1_test_count=2,
        matched_tier1=1,
        mean_run_seconds=60.0,
        parts=pytest.approx(
            {"novelty": novelty, "quality": quality, "leverage": 1.0, "efficiency": 0.5}
        ),
        compound_health_score=pytest.approx(0.6 * novelty + 0.15 * quality + 0.15 + 0.05),
        left_out=(),
    )
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)


def test_who_was_never_looked_for_elsewhere_is_no_evidence_of_leverage() -> None:
    found = health([viable()])
    assert (found.matched_tier1, found.parts["leverage"]) == (None, None)
    alone = health([viable(cross_project_matches=0)])
    assert (alone.matched_tier1, alone.parts["leverage"]) == (0, 0.0)


def test_a_quarter_that_works_in_two_other_repositories_is_full_leverage() -> None:
    looked = [viable(cross_project_matches=each) for each in (2, 1, 1, 0, 0, 1, 1, 0)]
    assert part("leverage", looked) == 0.5
    assert part("leverage", looked[:4]) == 1.0
    assert part("leverage", looked[:2]) == 1.0


@pytest.mark.parametrize(
    ("seconds", "share"),
    [(1.0, 1.0), (30.0, 1.0), (40.0, 0.75), (240.0, 0.125), (300.0, 0.1), (9000.0, 0.1)],
)
def test_a_run_of_half_a_minute_is_quick(seconds: float, share: float) -> None:
    assert part("efficiency", [], (seconds,)) == pytest.approx(share)


@pytest.mark.parametrize(("count", "share"), [(1, 0.73), (9, 0.97), (10, 1.0), (12, 1.0)])
def test_ten_novel_dreams_are_many(count: int, share: float) -> None:
    assert part("novelty", [{"novelty_score": 1.0}] * count) == pytest.approx(share)


def test_quality_is_told_by_what_is_known_of_it() -> None:
    assert part("quality", [{"viability_score": 0.25}]) == 0.25
    assert part("quality", [{"tier": DreamTier.SPECULATIVE}]) == pytest.approx(0.6)
    assert part("quality", [{"tier": DreamTier.ARCHIVE}]) == pytest.approx(0.2)
    assert part("quality", [viable(test_outcome=TestOutcome.TYPE_ERROR)]) == pytest.approx(0.6)


def test_calls_that_were_never_made_compare_nothing() -> None:
    done, missing = Seen(TestOutcome.SUCCESS, "1"), Seen(TestOutcome.TYPE_ERROR, "", is_made=False)
    assert compare([done, missing, done], [done, done, missing]) == Comparison(1, same=1)
    worse = compare([done] * 4, [done] * 3 + [Seen(TestOutcome.RUNTIME_ERROR, "E")])
    assert (worse, worse.effectiveness) == (Comparison(4, same=3, less_robust=1), 0.75)


def test_who_gets_by_where_the_other_fails_is_more_robust() -> None:
    done, failed = Seen(TestOutcome.SUCCESS, "1"), Seen(TestOutcome.RUNTIME_ERROR, "E")
    assert compare([failed], [done]) == Comparison(1, more_robust=1)
    assert compare([failed], [failed]) == Comparison(1, same=1)
    with pytest.raises(ValueError, match="shorter"):
        compare([done, done], [done])


def test_a_result_is_held_against_its_type_as_it_was_before_it_travelled() -> None:
    pair = Seen(TestOutcome.SUCCESS, "(1, 2)", plain=[1, 2], is_plain=True, type_name="tuple")
    assert misfit(pair, "tuple[int, int]") is None
    assert misfit(pair, "list[int]") is not None
    assert misfit(pair, "tuple[str, str]") is not None


def test_a_call_that_failed_has_no_type_to_be_held_against() -> None:
    failed = Seen(TestOutcome.RUNTIME_ERROR, "E", plain=None, is_plain=True, type_name="NoneType")
    assert misfit(failed, "str") is None


def test_the_latest_gain_weighs_half_of_the_average() -> None:
    assert moving_averages([]) == []
    assert moving_averages([8.0, 4.0, 2.0]) == [8.0, 6.0, 4.0]
    assert gate_by_gains([], 1.0, 1) == Gate(is_stable=False, ema=None, below=0)
    assert gate_by_gains([4.0, 0.0, 0.0], 2.0, 2) == Gate(is_stable=True, ema=1.0, below=2)
    assert gate_by_gains([4.0, 0.0, 0.0], 2.0, 3) == Gate(is_stable=False, ema=1.0, below=2)
    assert gate_by_gains([0.0, 0.0, 9.0], 2.0, 1) == Gate(is_stable=False, ema=4.5, below=0)
