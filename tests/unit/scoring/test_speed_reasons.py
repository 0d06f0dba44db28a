"""What a verdict on speed says, and where exactly its bounds lie."""

import pytest

from reverie.model.measurements.benchmark import (
    Estimate,
    PairedTimes,
    RequiredGain,
    Speedup,
    SpeedVerdict,
)
from reverie.scoring import speedup as scoring
from reverie.scoring.samples import estimate, quantile
from reverie.scoring.speedup import bound_of, growth_exponent, judge_speed, measure_speedup

EDGE = bound_of(0.10)
FLAT = "p50 2.00x [2.00, 2.00], p95 2.00x [2.00, 2.00]"


def flat(old: float, new: float, rounds: int = 5, slots: int = 40) -> PairedTimes:
    """Times without any weather."""
    rows = [tuple(each for _ in range(slots)) for each in (old, new)]
    return PairedTimes((rows[0],) * rounds, (rows[1],) * rounds)


@pytest.mark.parametrize(
    ("times", "verdict", "code", "reason", "won"),
    [
        (flat(2.0, 1.0), "faster", "faster", FLAT, 1.0),
        (flat(1.0, 2.0), "slower", "slower", "p50 0.50x [0.50, 0.50], p95 0.50x [0.50, 0.50]", 0.0),
        (
            flat(1.0, 1.0),
            "no_difference",
            "no_difference",
            "p50 1.00x [1.00, 1.00], p95 1.00x [1.00, 1.00]: no gain as required",
            0.0,
        ),
        (
            flat(2.0, 1.0, rounds=2, slots=20),
            "hold",
            "too_few_pairs",
            "40 pairs in 2 rounds; needs 30 in 3",
            1.0,
        ),
        (
            flat(2.0, 0.0),
            "hold",
            "no_time_seen",
            "a sample took no time at all: the clock is too coarse for this callable",
            1.0,
        ),
    ],
)
def test_a_verdict_says_what_it_rests_on(
    times: PairedTimes, verdict: str, code: str, reason: str, won: float
) -> None:
    found = judge_speed(times, 100, RequiredGain(0.1, 0.1), seed=7)
    assert (found.verdict, found.reason_code, found.reason) == (verdict, code, reason)
    assert (found.pairs, found.pairs_won) == (times.pairs, won)


def test_a_percentile_that_is_missing_is_named() -> None:
    found = judge_speed(flat(2.0, 1.0), 100, RequiredGain(0.1, 0.1, 0.1), seed=7)
    assert found.reason == "p99 is asked for and was not measured (needs 1,000 calls)"


def speeds(p50: tuple[float, float], p95: tuple[float, float] | None = None) -> Speedup:
    """By the ends of their intervals."""
    found = [Estimate(sum(each) / 2, *each) for each in (p50, p95 or p50)]
    return Speedup(found[0], found[1], None)


@pytest.mark.parametrize(
    ("found", "won", "answer"),
    [
        pytest.param(speeds((EDGE, 2.0)), 1.0, "faster", id="the bound itself is enough"),
        pytest.param(speeds((EDGE - 0.01, 2.0)), 1.0, "interval_includes_bound", id="just below"),
        pytest.param(speeds((0.5, 0.95)), 0.0, "slower", id="a loss of five hundredths is one"),
        pytest.param(speeds((0.5, 0.96)), 0.0, "interval_includes_bound", id="nearly a loss"),
        pytest.param(speeds((0.95, 1.0)), 0.5, "interval_includes_bound", id="from a loss on"),
        pytest.param(speeds((0.96, 1.0)), 0.5, "no_difference", id="well inside"),
        pytest.param(speeds((0.96, EDGE)), 0.5, "interval_includes_bound", id="up to the bound"),
        pytest.param(speeds((0.96, EDGE - 0.01)), 0.5, "no_difference", id="short of the bound"),
        pytest.param(speeds((0.5, 0.9)), 0.25, "slower", id="a quarter of the pairs may be won"),
        pytest.param(speeds((0.5, 0.9)), 0.26, "pairs_disagree", id="more than a quarter may not"),
        pytest.param(speeds((1.5, 2.0)), 0.75, "faster", id="three quarters are enough"),
        pytest.param(speeds((1.5, 2.0)), 0.74, "too_few_pairs_won", id="less is not"),
        pytest.param(speeds((0.97, 1.0), (0.5, 0.9)), 0.0, "slower", id="the same, a worse tail"),
        pytest.param(speeds((0.9, 1.2), (0.5, 0.9)), 0.0, "interval_includes_bound", id="unclear"),
        pytest.param(speeds((1.5, 2.0), (1.0, 1.05)), 1.0, "p95_not_shown", id="the median alone"),
    ],
)
def test_bounds_lie_where_the_definitions_put_them(
    monkeypatch: pytest.MonkeyPatch, found: Speedup, won: float, answer: str
) -> None:
    monkeypatch.setattr(scoring, "measure_speedup", lambda times, calls, seed: found)
    monkeypatch.setattr(scoring, "_won", lambda times: won)
    judged = judge_speed(flat(1.0, 1.0), 100, RequiredGain(0.1, 0.1), seed=7)
    assert judged.reason_code == answer
    assert (judged.speedup, judged.pairs_won) == (found, won)
    assert "p50" in judged.reason
    assert "p95" in judged.reason


def test_a_gain_that_nobody_asked_for_begins_at_one(monkeypatch: pytest.MonkeyPatch) -> None:
    required = RequiredGain(None, None)  # type: ignore[arg-type]
    for low, verdict in ((1.0, "faster"), (0.99, "hold")):
        found = speeds((low, 3.0))
        monkeypatch.setattr(scoring, "measure_speedup", lambda *given, found=found: found)
        assert judge_speed(flat(2.0, 1.0), 100, required, seed=7).verdict == verdict


def test_sides_of_different_length_are_no_pairs() -> None:
    found = flat(2.0, 1.0)
    with pytest.raises(ValueError, match="zip"):
        judge_speed(PairedTimes(found.old, found.new[1:]), 100, RequiredGain(), seed=7)
    short = (found.new[0][1:], *found.new[1:])
    with pytest.raises(ValueError, match="zip"):
        measure_speedup(PairedTimes(found.old, short), 100, seed=7)


def test_a_drawn_pair_is_not_won() -> None:
    assert judge_speed(flat(1.0, 1.0), 100, RequiredGain(), seed=7).pairs_won == 0.0


def test_percentiles_are_told_apart() -> None:
    old = tuple(float(each) for each in range(1, 102))
    new = (*old[:60], *(each / 2 for each in old[60:98]), *(each / 4 for each in old[98:]))
    found = measure_speedup(PairedTimes((old,) * 3, (new,) * 3), 1000, seed=3)
    assert found.p99 is not None
    assert len({found.p50.value, found.p95.value, found.p99.value}) == 3
    assert found.p50.value == pytest.approx(1.4167, abs=1e-3)
    assert found.p95.value == pytest.approx(1.7455, abs=1e-3)


def test_the_middle_of_the_rounds_counts() -> None:
    """Of an even number of rounds the two in the middle, of an odd one that in the middle."""
    for rows, value in (([1.0, 2.0, 8.0, 9.0], 4.0), ([1.0, 2.0, 9.0], 2.0)):
        times = PairedTimes(tuple((each,) * 10 for each in rows), tuple((1.0,) * 10 for _ in rows))
        assert measure_speedup(times, 100, seed=1).p50.value == pytest.approx(value)


@pytest.mark.parametrize(
    ("share", "value"), [(0.0, 1.0), (0.5, 2.5), (1.0, 4.0), (1 / 3, 2.0), (0.25, 1.75)]
)
def test_a_quantile_lies_between_its_neighbours(share: float, value: float) -> None:
    assert quantile([1.0, 2.0, 3.0, 4.0], share) == pytest.approx(value)


def test_an_interval_leaves_a_fortieth_at_both_ends() -> None:
    found = estimate(20.0, [float(each) for each in range(41)])
    assert found == Estimate(20.0, 1.0, 39.0)


def test_growth_is_the_slope_through_points_of_different_weight() -> None:
    found = growth_exponent({1: [1.0], 10: [1.0], 100: [1000.0]}, seed=5)
    assert found is not None
    assert found.value == pytest.approx(1.5)
    assert growth_exponent({10: [1.0, 9.0, 2.0], 20: [4.0], 40: [8.0]}, seed=5) is not None


def test_the_verdict_words_are_those_of_the_journal() -> None:
    assert [str(each) for each in SpeedVerdict] == [each.value for each in SpeedVerdict]
