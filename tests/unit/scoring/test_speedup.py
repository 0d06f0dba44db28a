from itertools import islice

import pytest

from reverie.model.measurements.benchmark import PairedTimes, RequiredGain, SpeedVerdict
from reverie.scoring.samples import draws
from reverie.scoring.speedup import (
    LOSS_WORTH_A_WORD,
    bound_of,
    judge_speed,
    measure_speedup,
)


def weather(seed: int, count: int) -> list[float]:
    """A machine that is sometimes twice as slow, and jitters."""
    found = islice(draws(seed, 1000), 2 * count)
    return [1 + (each % 2) + next(found) / 20_000 for each in found]


def times(
    speedup: float, rounds: int = 5, slots: int = 40, seed: int = 1, jitter: float = 0.0
) -> PairedTimes:
    """Pairs in the same weather, whose true ratio is `speedup`."""
    old, new = [], []
    for each in range(rounds):
        factors = weather(seed + each, slots)
        noise = [number / 1000 for number in islice(draws(seed + 100 + each, 1000), 2 * slots)]
        old.append(tuple(f * (1 + jitter * n) for f, n in zip(factors, noise, strict=False)))
        new.append(
            tuple(
                f / speedup * (1 + jitter * n) for f, n in zip(factors, noise[slots:], strict=True)
            )
        )
    return PairedTimes(tuple(old), tuple(new))


def judge(found: PairedTimes, required: RequiredGain | None = None, calls: int = 100):  # type: ignore[no-untyped-def]
    return judge_speed(found, calls, required or RequiredGain(), seed=7)


@pytest.mark.parametrize(
    ("speedup", "verdict"),
    [
        (1.25, SpeedVerdict.FASTER),
        (1.0, SpeedVerdict.NO_DIFFERENCE),
        (1.07, SpeedVerdict.NO_DIFFERENCE),
        (0.8, SpeedVerdict.SLOWER),
    ],
)
def test_the_verdict_follows_the_true_ratio_in_changing_weather(
    speedup: float, verdict: SpeedVerdict
) -> None:
    judged = judge(times(speedup, jitter=0.03))
    assert judged.verdict is verdict, judged.reason
    assert judged.speedup is not None
    assert judged.speedup.p50.low <= speedup <= judged.speedup.p50.high
    assert judged.pairs == 200


def test_a_gain_whose_interval_includes_the_bound_is_held() -> None:
    judged = judge(times(bound_of(0.10), jitter=0.1))
    assert (judged.verdict, judged.reason_code) == (SpeedVerdict.HOLD, "interval_includes_bound")


def test_a_bound_is_the_speedup_that_saves_that_share_of_time() -> None:
    assert bound_of(0.0) == 1
    assert bound_of(0.2) == pytest.approx(1.25)


def test_fewer_than_thirty_pairs_are_no_evidence() -> None:
    assert judge(times(3.0, rounds=3, slots=9)).reason_code == "too_few_pairs"
    assert judge(times(3.0, rounds=3, slots=10)).verdict is SpeedVerdict.FASTER


def test_fewer_than_three_rounds_are_no_evidence() -> None:
    assert judge(times(3.0, rounds=2, slots=40)).reason_code == "too_few_pairs"


def test_nothing_measured_is_held() -> None:
    judged = judge(PairedTimes((), ()))
    assert (judged.verdict, judged.pairs_won) == (SpeedVerdict.HOLD, None)


def test_a_sample_that_took_no_time_is_not_infinitely_fast() -> None:
    found = times(2.0)
    broken = PairedTimes(found.old, ((0.0, *found.new[0][1:]), *found.new[1:]))
    assert judge(broken).reason_code == "no_time_seen"


def test_one_spoiled_round_changes_nothing() -> None:
    found = times(1.0, jitter=0.02)
    spoiled = PairedTimes(found.old, (tuple(3 * each for each in found.new[0]), *found.new[1:]))
    assert judge(spoiled).verdict is not SpeedVerdict.SLOWER
    assert judge(spoiled).speedup.p50.value == pytest.approx(1.0, abs=0.03)


def test_a_gain_at_the_median_alone_is_held() -> None:
    found = times(1.5, slots=40)
    slow_tail = tuple((*row[:34], *(2 * each for each in row[34:])) for row in found.new)
    judged = judge(PairedTimes(found.old, slow_tail))
    assert (judged.verdict, judged.reason_code) == (SpeedVerdict.HOLD, "p95_not_shown")


def test_a_gain_needs_three_quarters_of_the_pairs() -> None:
    """The median of the ratios may be won while the pairs are not."""
    old = tuple(tuple(1.0 for _ in range(40)) for _ in range(5))
    won = tuple(tuple(0.5 for _ in range(40)) for _ in range(3))
    lost = tuple(tuple(1.1 for _ in range(40)) for _ in range(2))
    judged = judge(PairedTimes(old, won + lost))
    assert judged.pairs_won == pytest.approx(0.6)
    assert judged.verdict is SpeedVerdict.HOLD


def test_the_99th_percentile_needs_a_thousand_calls_and_a_tail() -> None:
    found = times(1.5, rounds=3, slots=100)
    assert measure_speedup(found, 999, 1).p99 is None
    assert measure_speedup(found, 1000, 1).p99 is not None
    assert measure_speedup(times(1.5, rounds=3, slots=99), 5000, 1).p99 is None


def test_a_99th_percentile_that_is_asked_for_and_absent_is_held() -> None:
    required = RequiredGain(0.1, 0.1, 0.1)
    judged = judge(times(1.5, rounds=3, slots=100), required, calls=100)
    assert (judged.verdict, judged.reason_code) == (SpeedVerdict.HOLD, "p99_not_measured")
    assert judge(times(1.5, rounds=3, slots=100), required, calls=1000).verdict == "faster"


def test_what_is_required_is_what_decides() -> None:
    found = times(1.5, jitter=0.02)
    assert judge(found, RequiredGain(0.30, 0.30)).verdict is SpeedVerdict.FASTER
    assert judge(found, RequiredGain(0.40, 0.40)).verdict is SpeedVerdict.NO_DIFFERENCE


def test_bad_luck_in_the_slowest_slots_hides_no_gain() -> None:
    judged = judge(times(1.3, rounds=8, slots=100, jitter=0.1), RequiredGain(0.1, 0.13, 0.16), 1000)
    assert judged.verdict is SpeedVerdict.FASTER, judged.reason
    assert judged.speedup is not None
    assert judged.speedup.p99 is not None
    assert 1.25 < judged.speedup.p99.low < judged.speedup.p99.high < 1.35


@pytest.mark.parametrize(("slow_slots", "is_seen"), [(0, False), (4, True)])
def test_a_slow_tail_is_seen_however_good_the_rest(slow_slots: int, is_seen: bool) -> None:
    found = times(1.5, rounds=8, slots=100, jitter=0.05)
    new = tuple(
        tuple(2 * each if slot < slow_slots else each for slot, each in enumerate(row))
        for row in found.new
    )
    judged = judge(PairedTimes(found.old, new), RequiredGain(0.1, 0.13, 0.16), 1000)
    assert (judged.verdict is SpeedVerdict.HOLD) is is_seen, judged.reason


def test_noise_excuses_no_loss_worth_a_word() -> None:
    """Rounds that lie far apart would excuse any difference between slots."""
    base = [1.0, 3.0, 0.4, 1.0, 2.5]
    old = tuple(tuple(each for _ in range(100)) for each in base)
    new = tuple(tuple(1.5 if slot < 3 else 1.0 for slot in range(100)) for _ in base)
    found = measure_speedup(PairedTimes(old, new), 1000, seed=3)
    assert found.p99 is not None
    assert found.p50.value / found.p99.value > 1.5 / (1 + 2 * LOSS_WORTH_A_WORD)
