"""Is new faster than old? Judged from paired times, with intervals, and without a clock.

A shared machine runs twice as fast at one moment as at another, for old and new alike. So a slot
is known by two figures that such weather does not move: its *ratio* (old over new within a pair,
the median over the rounds) and its *level* (their geometric mean, the least over the rounds, since
noise only ever adds time). The two give back the slot's times, which are compared at percentiles.
The slowest of many slots are mostly those with the worst luck, so a ratio that differs from the
others by no more than its noise counts as theirs; one that differs by more keeps what is beyond.
The interval comes from resampling twice: rounds, because processes differ, and slots, because
inputs do; pairs are kept together. Growth is the exponent of n in the time, with its interval.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice

from reverie.model.measurements.benchmark import (
    Estimate,
    PairedTimes,
    RequiredGain,
    SpeedJudgement,
    Speedup,
    SpeedVerdict,
)
from reverie.scoring.samples import draws, estimate, quantile

LEAST_PAIRS = 30
LEAST_ROUNDS = 3
LEAST_WON = 0.75
LEAST_CALLS_FOR_P99 = 1000
LEAST_SLOTS_FOR_P99 = 100
LOSS_WORTH_A_WORD = 0.05
"""A loss smaller than this is not told from the layout of memory."""
NOISE_ALLOWED = 3.0
"""In standard errors of a slot's ratio: how far the luckiest of a few hundred is from the rest."""
RESAMPLES = 400
_NORMAL_DEVIATIONS_PER_STEP = 1 / (0.6745 * math.sqrt(2))
"""The standard deviation of what is normal, from the median distance of two draws."""
_MEDIAN_ERROR = math.sqrt(math.pi / 2)
"""The standard error of a median, in units of that of a mean."""
PERCENTILES = (50, 95, 99)


class _Zone(StrEnum):
    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    UNCLEAR = "unclear"


def judge_speed(
    times: PairedTimes, calls: int, required: RequiredGain, seed: int
) -> SpeedJudgement:
    """The verdict on one set of paired times; `calls` is how many each side was timed."""
    if times.pairs < LEAST_PAIRS or times.rounds < LEAST_ROUNDS:
        reason = f"{times.pairs} pairs in {times.rounds} rounds; needs {LEAST_PAIRS} in 3"
        return SpeedJudgement(
            SpeedVerdict.HOLD, "too_few_pairs", reason, None, times.pairs, _won(times)
        )
    if any(time <= 0 for row in (*times.old, *times.new) for time in row):
        reason = "a sample took no time at all: the clock is too coarse for this callable"
        return SpeedJudgement(
            SpeedVerdict.HOLD, "no_time_seen", reason, None, times.pairs, _won(times)
        )
    speedup, won = measure_speedup(times, calls, seed), _won(times) or 0.0
    verdict, code, reason = _rule(speedup, won, required)
    return SpeedJudgement(verdict, code, reason, speedup, times.pairs, won)


def measure_speedup(times: PairedTimes, calls: int, seed: int) -> Speedup:
    """The ratio of old to new at each percentile, with intervals."""
    slots = _Slots(times)
    everything = _ratios(*slots.steadied(range(times.rounds), range(times.slots)))
    resampled = list(itertools.islice(_resamples(slots, times, seed), RESAMPLES))
    found = [
        estimate(everything[place], [each[place] for each in resampled])
        for place in range(len(PERCENTILES))
    ]
    has_tail = calls >= LEAST_CALLS_FOR_P99 and times.slots >= LEAST_SLOTS_FOR_P99
    return Speedup(found[0], found[1], found[2] if has_tail else None)


def bound_of(gain: float) -> float:
    """The speed-up that saves this share of the time."""
    return 1 / (1 - gain)


def _won(times: PairedTimes) -> float | None:
    pairs = [
        (old, new)
        for olds, news in zip(times.old, times.new, strict=True)
        for old, new in zip(olds, news, strict=True)
    ]
    return sum(new < old for old, new in pairs) / len(pairs) if pairs else None


class _Slots:
    """Ratio and level of every pair, by slot and round; ratios as logarithms."""

    def __init__(self, times: PairedTimes) -> None:
        olds, news = zip(*times.old, strict=True), zip(*times.new, strict=True)
        pairs = [list(zip(old, new, strict=True)) for old, new in zip(olds, news, strict=True)]
        self.ratios = [[math.log(old / new) for old, new in slot] for slot in pairs]
        self.levels = [[math.sqrt(old * new) for old, new in slot] for slot in pairs]
        self.allowance = min(LOSS_WORTH_A_WORD, NOISE_ALLOWED * _error_of_median(self.ratios))

    def steadied(
        self, rounds: Sequence[int], slots: Sequence[int]
    ) -> tuple[list[float], list[float]]:
        """The times of some slots on both sides, from some rounds."""
        ratios = [_middle([self.ratios[slot][each] for each in rounds]) for slot in slots]
        usual = _middle(ratios)
        old, new = [], []
        for slot, ratio in zip(slots, ratios, strict=True):
            root = math.exp((usual + _beyond(ratio - usual, self.allowance)) / 2)
            levels = self.levels[slot]
            level = min([levels[each] for each in rounds])
            old.append(level * root)
            new.append(level / root)
        return old, new


def _error_of_median(slots: Sequence[Sequence[float]]) -> float:
    """The standard error of a slot's median over the rounds, from how far rounds lie apart."""
    steps = [abs(later - earlier) for slot in slots for earlier, later in itertools.pairwise(slot)]
    deviation = _NORMAL_DEVIATIONS_PER_STEP * _middle(steps)
    return _MEDIAN_ERROR * deviation / math.sqrt(len(slots[0]))


def _middle(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _beyond(difference: float, allowance: float) -> float:
    """What is left of a difference when noise may have made so much of it."""
    return math.copysign(max(0.0, abs(difference) - allowance), difference)


def _resamples(slots: _Slots, times: PairedTimes, seed: int) -> Iterator[tuple[float, ...]]:
    which_round, which_slot = draws(seed, times.rounds), draws(seed + 1, times.slots)
    while True:
        rounds = list(itertools.islice(which_round, times.rounds))
        chosen = list(itertools.islice(which_slot, times.slots))
        yield _ratios(*slots.steadied(rounds, chosen))


def _ratios(old: list[float], new: list[float]) -> tuple[float, ...]:
    old, new = sorted(old), sorted(new)
    return tuple(quantile(old, each / 100) / quantile(new, each / 100) for each in PERCENTILES)


def _rule(speedup: Speedup, won: float, required: RequiredGain) -> tuple[SpeedVerdict, str, str]:
    """The median leads; a gain needs every percentile that is asked for, and most pairs."""
    zones = {each: _zone(speedup.at(each), required.at(each)) for each in PERCENTILES}
    told = _tell(speedup)
    if zones[50] is _Zone.SLOWER or (zones[50] is _Zone.SAME and zones[95] is _Zone.SLOWER):
        if won > 1 - LEAST_WON:
            reason = f"{told}, but new won {won:.0%} of the pairs"
            return SpeedVerdict.HOLD, "pairs_disagree", reason
        return SpeedVerdict.SLOWER, "slower", told
    if zones[50] is _Zone.SAME:
        return SpeedVerdict.NO_DIFFERENCE, "no_difference", f"{told}: no gain as required"
    if zones[50] is _Zone.UNCLEAR:
        return SpeedVerdict.HOLD, "interval_includes_bound", f"{told}: includes a bound"
    for each in PERCENTILES:
        if required.at(each) is not None and zones[each] is None:
            reason = f"p{each} is asked for and was not measured (needs 1,000 calls)"
            return SpeedVerdict.HOLD, f"p{each}_not_measured", reason
        if required.at(each) is not None and zones[each] is not _Zone.FASTER:
            return SpeedVerdict.HOLD, f"p{each}_not_shown", f"{told}: not as required at p{each}"
    if won < LEAST_WON:
        reason = f"{told}, but new won only {won:.0%} of the pairs"
        return SpeedVerdict.HOLD, "too_few_pairs_won", reason
    return SpeedVerdict.FASTER, "faster", told


def _zone(found: Estimate | None, gain: float | None) -> _Zone | None:
    """Where a whole interval lies; None when there is none."""
    if found is None:
        return None
    if found.low >= bound_of(gain or 0.0):
        return _Zone.FASTER
    if found.high <= 1 - LOSS_WORTH_A_WORD:
        return _Zone.SLOWER
    inside = found.low > 1 - LOSS_WORTH_A_WORD and found.high < bound_of(gain or 0.0)
    return _Zone.SAME if inside else _Zone.UNCLEAR


def _tell(speedup: Speedup) -> str:
    parts = [(each, speedup.at(each)) for each in PERCENTILES]
    return ", ".join(
        f"p{each} {found.value:.2f}x [{found.low:.2f}, {found.high:.2f}]"
        for each, found in parts
        if found is not None
    )


LEAST_SIZES = 3
_RESAMPLES = 500


def growth_exponent(seconds: Mapping[int, Sequence[float]], seed: int) -> Estimate | None:
    """The slope of log time over log n through the medians; None with fewer than three sizes."""
    sizes = _timed(seconds)
    if len(sizes) < LEAST_SIZES:
        return None
    value = _slope([(size, _median(seconds[size])) for size in sizes])
    streams = {size: draws(seed + size, len(seconds[size])) for size in sizes}
    resampled = [
        _slope([(size, _median(_again(seconds[size], streams[size]))) for size in sizes])
        for _ in range(_RESAMPLES)
    ]
    return estimate(value, resampled)


def is_class_clear(seconds: Mapping[int, Sequence[float]], seed: int) -> bool:
    """Whether larger sizes would hardly tell another class of growth.

    All of the interval is of one class, and the step to the largest size is of the same.
    """
    found, sizes = growth_exponent(seconds, seed), _timed(seconds)
    if found is None or len(sizes) <= LEAST_SIZES:
        return False
    last = _slope([(size, _median(seconds[size])) for size in sizes[-2:]])
    return len({round(each) for each in (found.low, found.high, last)}) == 1


def _timed(seconds: Mapping[int, Sequence[float]]) -> list[int]:
    """Sizes that took any time."""
    return sorted(size for size, times in seconds.items() if times and min(times) > 0)


def _again(times: Sequence[float], stream: Iterator[int]) -> list[float]:
    return [times[each] for each in islice(stream, len(times))]


def _median(times: Sequence[float]) -> float:
    return quantile(sorted(times), 0.5)


def _slope(points: Sequence[tuple[int, float]]) -> float:
    xs = [math.log(size) for size, _ in points]
    ys = [math.log(time) for _, time in points]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    rise = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return rise / sum((x - x_mean) ** 2 for x in xs)
