"""The cycles to come: models, those that history chooses, and intervals that history checked.

Plain arithmetic. Intervals come from what the same models missed by before, widened where little
is known; the first cycles take what others did at that age, shifted to where this one stands.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from reverie.model.foresight import Coverage, Forecast, Projection
from reverie.scoring.samples import finite, median, spread, theil_sen

Series = Sequence[float]
Model = Callable[[Series, int], list[float]]
"""From a history of at least three values, the expected values of so many cycles to come."""

_SMOOTHINGS = (0.05, 0.15, 0.3, 0.5, 0.7, 0.9)
_TREND_SMOOTHINGS = (0.05, 0.2, 0.4)
_DAMPING = 0.85
_TREND_PENALTY = 1.15
"""A trend has to explain that much more of the past to be believed: it has a figure more to fit."""
_RECENT = 10
_LONGEST_PERIOD = 12
_SEASONAL = 0.5


def naive(values: Series, ahead: int) -> list[float]:
    """As it was last."""
    return [values[-1]] * ahead


def drift(values: Series, ahead: int) -> list[float]:
    """On along the line from the first to the last."""
    step = (values[-1] - values[0]) / (len(values) - 1)
    return [values[-1] + step * each for each in range(1, ahead + 1)]


def middle(values: Series, ahead: int) -> list[float]:
    """As it mostly was of late."""
    return [median(values[-_RECENT:])] * ahead


def line(values: Series, ahead: int) -> list[float]:
    """On along the line of Theil and Sen through the recent past."""
    recent = values[-_RECENT:]
    slope = theil_sen(recent)
    step = 0.0 if slope is None else slope.value
    level = median([each + step * (len(recent) - 1 - at) for at, each in enumerate(recent)])
    return [level + step * each for each in range(1, ahead + 1)]


def smoothed(values: Series, ahead: int) -> list[float]:
    """Exponential smoothing (ETS): a level, or a level with a damped trend, as fits the past."""
    flat = min((_level(values, alpha) for alpha in _SMOOTHINGS), key=lambda each: each[0])
    grid = product(_SMOOTHINGS, _TREND_SMOOTHINGS)
    sloped = min((_damped(values, *each) for each in grid), key=lambda each: each[0])
    if flat[0] <= sloped[0] * _TREND_PENALTY:
        return [flat[1]] * ahead
    _, level, step = sloped
    expected, factor = [], 0.0
    for each in range(1, ahead + 1):
        factor += _DAMPING**each
        expected.append(level + step * factor)
    return expected


def seasonal(values: Series, ahead: int) -> list[float]:
    """The same again, a period later; as `smoothed` where no period is seen."""
    period = period_of(values)
    if period is None:
        return smoothed(values, ahead)
    level = sum(values[-period:]) / period
    shape = [_phase(values, at, period) for at in range(period)]
    start = len(values)
    return [level + shape[(start + each) % period] for each in range(ahead)]


def period_of(values: Series) -> int | None:
    """The period after which a series repeats itself best, if it clearly does."""
    found: tuple[float, int] | None = None
    for period in range(3, min(_LONGEST_PERIOD, len(values) // 3) + 1):
        strength = _autocorrelation(values, period)
        if strength >= _SEASONAL and (found is None or strength > found[0] + 0.05):
            found = strength, period
    return None if found is None else found[1]


MODELS: Mapping[str, Model] = {
    "ets": smoothed,
    "theil-sen": line,
    "naive": naive,
    "median": middle,
    "seasonal": seasonal,
}


def _level(values: Series, alpha: float) -> tuple[float, float]:
    level, errors = values[0], 0.0
    for each in values[1:]:
        miss = each - level
        errors += miss * miss
        level += alpha * miss
    return errors, level


def _damped(values: Series, alpha: float, beta: float) -> tuple[float, float, float]:
    level, step, errors = values[0], values[1] - values[0], 0.0
    for each in values[1:]:
        expected = level + _DAMPING * step
        miss = each - expected
        errors += miss * miss
        level, before = expected + alpha * miss, level
        step = beta * (level - before) + (1 - beta) * _DAMPING * step
    return errors, level, step


def _phase(values: Series, at: int, period: int) -> float:
    """How far one place of the period lies off the level, over the last three of them."""
    offsets = [
        values[place] - sum(values[place - period + 1 : place + 1]) / period
        for place in range(at, len(values), period)
        if place >= period - 1
    ]
    return sum(offsets[-3:]) / len(offsets[-3:]) if offsets else 0.0


def _autocorrelation(values: Series, lag: int) -> float:
    mean = sum(values) / len(values)
    off = [each - mean for each in values]
    whole = sum(each * each for each in off)
    if whole == 0:
        return 0.0
    shared = sum(off[place] * off[place - lag] for place in range(lag, len(off)))
    return shared / whole * len(off) / (len(off) - lag)


LEAST_HISTORY = 5
_MOST_ORIGINS = 16
_CLOSE = 1.05
"""A model that is not worse than the best by more than this may still be used with it."""


@dataclass(frozen=True, slots=True)
class Miss:
    """One forecast of the past: how many cycles ahead, and what came less what was expected."""

    origin: int
    ahead: int
    error: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """The models that history speaks for, with what they missed by when used together."""

    names: tuple[str, ...]
    misses: tuple[Miss, ...]

    def expect(self, values: Sequence[float], ahead: int) -> list[float]:
        """The mean of what they expect."""
        return _together(values, ahead, self.names)

    @property
    def error(self) -> float | None:
        """Mean absolute error one cycle ahead."""
        return mean_error([each for each in self.misses if each.ahead == 1])


def choose(values: Sequence[float], ahead: int, models: Mapping[str, Model] = MODELS) -> Chosen:
    """The model with the least error over all rolling origins, with any that is as good."""
    origins = range(max(LEAST_HISTORY - 1, len(values) - _MOST_ORIGINS), len(values))
    missed = {name: _misses(values, ahead, (name,), origins) for name in models}
    errors = {name: mean_error(each) for name, each in missed.items()}
    known = {name: error for name, error in errors.items() if error is not None}
    if not known:
        return Chosen(("median",), ())
    least = min(known.values())
    names = tuple(name for name, error in known.items() if error <= least * _CLOSE)
    return Chosen(names, tuple(_misses(values, ahead, names, origins)))


def mean_error(misses: Sequence[Miss]) -> float | None:
    """The mean of the absolute errors; None without any."""
    return sum(abs(each.error) for each in misses) / len(misses) if misses else None


def _misses(
    values: Sequence[float], ahead: int, names: Sequence[str], origins: range
) -> list[Miss]:
    found = []
    for origin in origins:
        reach = min(ahead, len(values) - origin)
        expected = _together(values[:origin], reach, names)
        found += [
            Miss(origin, each + 1, values[origin + each] - expected[each]) for each in range(reach)
        ]
    return found


def _together(values: Sequence[float], ahead: int, names: Sequence[str]) -> list[float]:
    each = [MODELS[name](values, ahead) for name in names]
    return [sum(at) / len(names) for at in zip(*each, strict=True)]


_NORMAL = {0.80: 1.2816, 0.95: 1.9600}
_LEAST_MISSES = 4
_FITTED = {0.80: 0.91, 0.95: 1.12}
"""What makes the levels true on generated series of six kinds (`python -m benchmarks.foresight`).
A model chosen because it missed little misses more later, and rarely by a lot: the outer interval
is wider than normal noise would have it, the inner one narrower."""


@dataclass(frozen=True, slots=True)
class Widths:
    """Half the width of an interval, by level and cycles ahead."""

    one_ahead: float
    growth: float
    n: int
    tails: float
    """How much further out than normal noise the misses lie."""

    def half(self, level: float, ahead: int) -> float:
        """Half the width of the interval at a level."""
        scale = self.one_ahead * math.sqrt(1 + self.growth * (ahead - 1))
        heavier = self.tails if level > 0.9 else 1.0
        return scale * student(level, self.n) * heavier * _FITTED[level]


def widths_of(misses: Sequence[Miss], values: Sequence[float]) -> Widths:
    """From what was missed at each distance; from the steps of the series where nothing was."""
    near = [each.error for each in misses if each.ahead == 1]
    if len(near) < _LEAST_MISSES:
        steps = [after - before for before, after in pairwise(values)]
        return Widths(_root_mean_square(steps), 1.0, max(1, len(steps)), 1.0)
    one = _root_mean_square(near)
    far = [each for each in misses if each.ahead > 1]
    growth = 0.0
    if one > 0 and far:
        ratios = [((each.error / one) ** 2 - 1) / (each.ahead - 1) for each in far]
        growth = min(2.0, max(0.0, sum(ratios) / len(ratios)))
    return Widths(one, growth, len(near), _tails(near))


def student(level: float, n: int) -> float:
    """Student's quantile of a two-sided interval (Cornish and Fisher), for n misses."""
    z, df = _NORMAL[level], max(2, n - 1)
    first = (z**3 + z) / (4 * df)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
    return z + first + second


def _root_mean_square(values: Sequence[float]) -> float:
    return math.sqrt(sum(each * each for each in values) / len(values)) if values else 0.0


def _tails(misses: Sequence[float]) -> float:
    """Above 1 where a few misses are far larger than the rest, as after a step."""
    own, whole = spread(misses), _root_mean_square(misses)
    return min(1.3, max(1.0, whole / own / 1.2)) if own > 0 else 1.2


HORIZON = 5
_LEAST_CHECKED = 6


def forecast(
    history: Sequence[float | None], ahead: int = HORIZON, others: Sequence[Sequence[float]] = ()
) -> Forecast | None:
    """The cycles to come; None with too short a history and nobody to borrow from.

    `others`: curves of similar modules or workflows. They count (5 - n) / 5 while there are n < 5.
    """
    values = finite(history)
    if len(values) < LEAST_HISTORY:
        return borrow(values, ahead, others)
    chosen = choose(values, ahead)
    widths = widths_of(chosen.misses, values)
    expected = chosen.expect(values, ahead)
    return Forecast(
        "+".join(chosen.names),
        tuple(project(value, at + 1, widths) for at, value in enumerate(expected)),
        len(values),
        checked(values, chosen),
        chosen.error,
    )


def project(value: float, ahead: int, widths: Widths) -> Projection:
    """A value with its intervals."""
    inner, outer = widths.half(0.80, ahead), widths.half(0.95, ahead)
    return Projection(ahead, value, value - inner, value + inner, value - outer, value + outer)


def checked(values: Sequence[float], chosen: Chosen) -> Coverage | None:
    """The share of past forecasts whose intervals, made from what was known then, held."""
    held80 = held95 = n = 0
    for miss in chosen.misses:
        earlier = [each for each in chosen.misses if _was_known(each, miss)]
        if len(earlier) < _LEAST_CHECKED:
            continue
        widths = widths_of(earlier, values[: miss.origin])
        held80 += abs(miss.error) <= widths.half(0.80, miss.ahead)
        held95 += abs(miss.error) <= widths.half(0.95, miss.ahead)
        n += 1
    return Coverage(held80 / n, held95 / n, n) if n else None


def _was_known(earlier: Miss, now: Miss) -> bool:
    return earlier.origin + earlier.ahead <= now.origin


def borrow(
    values: Sequence[float], ahead: int, others: Sequence[Sequence[float]]
) -> Forecast | None:
    """A blend of what the few cycles say and what similar curves did; None without any to borrow.

    The share of the others is (5 - n) / 5, and the forecast says so.
    """
    n = len(values)
    curves = [finite(each) for each in others]
    curves = [each for each in curves if len(each) >= n + ahead]
    if not curves:
        return None
    share = (LEAST_HISTORY - n) / LEAST_HISTORY
    shifted = [_continued(each, values, ahead) for each in curves]
    theirs = [median(at) for at in zip(*shifted, strict=True)]
    own = _own(values, ahead)
    expected = [
        share * their + (1 - share) * mine
        for their, mine in zip(theirs, own if own is not None else theirs, strict=True)
    ]
    misses = [
        Miss(place, at + 1, curve[at] - theirs[at])
        for place, curve in enumerate(shifted)
        for at in range(ahead)
    ]
    widths = widths_of(misses, curves[0])

    projections = tuple(project(value, at + 1, widths) for at, value in enumerate(expected))
    return Forecast("templates", projections, n, None, None, share)


def _continued(curve: Sequence[float], values: Sequence[float], ahead: int) -> list[float]:
    """What another curve did after this age, moved by how far the two lie apart so far."""
    n = len(values)
    apart = median([mine - other for mine, other in zip(values, curve, strict=False)]) if n else 0.0
    return [each + apart for each in curve[n : n + ahead]]


def _own(values: Sequence[float], ahead: int) -> list[float] | None:
    if not values:
        return None
    return naive(values, ahead) if len(values) < 3 else drift(values, ahead)
