"""Will it hold? The label of a series of worth, from its slope and how much it shakes."""

import math
from collections.abc import Sequence
from itertools import pairwise

from reverie.model.benchmark import Estimate
from reverie.model.foresight import CollapseRisk, CycleMetrics, RiskLabel, Trend
from reverie.scoring.raroi import confidence_in
from reverie.scoring.robust import NORMAL, finite, median, spread, theil_sen

WINDOW = 10
LEAST_CYCLES = 5
VOLATILITY = 1.0
HORIZON = 5
"""Cycles within which a negative worth has to be expected positive to count as stable."""
SOON = 2
_SHARE_OF_LEVEL = 0.25
"""Steps are compared with the spread of the values, and with this share of their level where the
spread is less: ten and a bit, cycle after cycle, is not volatile."""
_SMALL_RISE, _TIMES = 0.05, 10.0
_LATE = 5


def trend_of(worths: Sequence[float | None]) -> Trend:
    """Slope and volatility of the last cycles; what was not measured is left out."""
    values = finite(worths)[-WINDOW:]
    slope = theil_sen(values)
    if slope is None:
        return Trend(None, None, None, None, len(values))
    return Trend(slope.value, slope.low, slope.high, volatility_of(values), len(values))


def volatility_of(values: Sequence[float]) -> float | None:
    """Spread of the steps in units of the level's own; None below three values.

    Steps are held against the slope, not against their own median: a series that goes up and down
    by turns has a majority of steps that are alike.
    """
    slope = theil_sen(values)
    if len(values) < 3 or slope is None:
        return None
    steps = NORMAL * median(
        [abs(after - before - slope.value) for before, after in pairwise(values)]
    )
    unit = max(spread(values), _SHARE_OF_LEVEL * abs(median(values)))
    if unit == 0:
        return 0.0 if steps == 0 else math.inf
    return steps / unit


def collapse_risk(
    history: Sequence[CycleMetrics], volatile_from: float = VOLATILITY
) -> CollapseRisk:
    """The label of a history, oldest cycle first."""
    values = finite(each.roi_delta for each in history)[-WINDOW:]
    trend, brittle = trend_of(values), is_brittle(history)
    if len(values) < LEAST_CYCLES or trend.slope is None or trend.volatility is None:
        return CollapseRisk(
            RiskLabel.UNKNOWN, brittle, trend.slope, trend.volatility, None, 0.0, len(values)
        )
    slope = Estimate(trend.slope, trend.low or 0.0, trend.high or 0.0)
    label = _label(values, slope, trend.volatility, volatile_from)
    return CollapseRisk(
        label,
        brittle,
        trend.slope,
        trend.volatility,
        _collapse_in(values, slope),
        _confidence(values),
        len(values),
    )


def is_brittle(history: Sequence[CycleMetrics]) -> bool:
    """Whether a small rise of degradation ever came with a fall of worth ten times as large."""
    for before, after in pairwise(history):
        told = (before.scenario_degradation, after.scenario_degradation)
        pair = finite((*told, before.roi_delta, after.roi_delta))
        if len(pair) < 4:
            continue
        rise, drop = pair[1] - pair[0], pair[2] - pair[3]
        if 0 < rise < _SMALL_RISE and drop > _TIMES * rise:
            return True
    return False


def _label(
    values: Sequence[float], slope: Estimate, volatility: float, volatile_from: float
) -> RiskLabel:
    if volatility >= volatile_from:
        return RiskLabel.VOLATILE
    if slope.high < 0:
        pace = _pace(values, slope)
        is_soon = _end(values, pace) + SOON * pace <= 0
        own = spread(values)
        is_steep = own > 0 and slope.value <= -own
        return RiskLabel.IMMEDIATE if is_soon or is_steep else RiskLabel.SLOW_DECAY
    is_negative = median(values[-3:]) < 0
    is_rising = slope.low > 0 and values[-1] + HORIZON * slope.value > 0
    return RiskLabel.IMMEDIATE if is_negative and not is_rising else RiskLabel.STABLE


def _collapse_in(values: Sequence[float], slope: Estimate) -> int | None:
    if values[-1] <= 0 and slope.low <= 0 and median(values[-3:]) < 0:
        return 0
    if slope.high >= 0:
        return None
    pace = _pace(values, slope)
    return max(0, math.ceil(_end(values, pace) / -pace))


def _end(values: Sequence[float], pace: float) -> float:
    """Where a falling series stands: the last value, or less if those before it say so."""
    recent = values[-3:]
    told = median([each + pace * (len(recent) - 1 - at) for at, each in enumerate(recent)])
    return min(values[-1], told)


def _pace(values: Sequence[float], slope: Estimate) -> float:
    """How fast a falling series falls by now: a fall that began late is steeper than the whole."""
    late = theil_sen(values[-_LATE:])
    return slope.value if late is None else min(slope.value, late.value)


def _confidence(values: Sequence[float]) -> float:
    """From how well the line through the cycles before each one told it."""
    told, real = [], []
    for place in range(2, len(values)):
        slope = theil_sen(values[:place])
        if slope is not None:
            told.append(values[place - 1] + slope.value)
            real.append(values[place])
    return confidence_in(told, real)
