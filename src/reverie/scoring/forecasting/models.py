"""The models: each says what it expects of the cycles after a history. Plain arithmetic."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from reverie.scoring.robust import median, theil_sen

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
