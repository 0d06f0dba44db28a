"""Will it hold, and is it done? The label of a series of worth, and when a module is complete.

The label comes from slope and volatility; a module is done when gains are equivalent to nothing
worth having, or entropy stands still.
"""

import ast
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from reverie.model.foresight import CollapseRisk, CycleMetrics, RiskLabel, Trend
from reverie.model.measurements.benchmark import Estimate
from reverie.scoring.roi import confidence_in
from reverie.scoring.samples import NORMAL, finite, median, spread, theil_sen
from reverie.syntax.parsing import NOT_PYTHON, parse_module

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


LEAST_SAMPLES = 3
MARGIN = 0.25
PLATEAU = 0.05
CONSECUTIVE = 3
# Student's one-sided 95 % quantiles, by degrees of freedom; beyond them the normal one.
_ONE_SIDED = (
    6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
    1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725,
)  # fmt: skip
_FAR = 1.645


class Completion(StrEnum):
    """Whether a module is worth more dreams."""

    OPEN = "open"
    DIMINISHED = "diminishing returns"
    PLATEAU = "entropy plateau"
    INSUFFICIENT = "insufficient data"

    @property
    def is_complete(self) -> bool:
        """Whether the module is skipped."""
        return self in (Completion.DIMINISHED, Completion.PLATEAU)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One promoted or tried dream of a module: what it gained, and what it did to its entropy."""

    points: float | None
    entropy: float | None = None
    """Of the changed syntax, in bits."""


def completion_of(
    attempts: Sequence[Attempt],
    margin: float = MARGIN,
    plateau: float = PLATEAU,
    consecutive: int = CONSECUTIVE,
) -> Completion:
    """The standing of a module after its dreams, oldest first."""
    gains = finite(each.points for each in attempts)
    if len(gains) < LEAST_SAMPLES:
        return Completion.INSUFFICIENT
    if is_nothing(gains, margin):
        return Completion.DIMINISHED
    if has_plateau(attempts, margin, plateau, consecutive):
        return Completion.PLATEAU
    return Completion.OPEN


def is_nothing(gains: Sequence[float], margin: float) -> bool:
    """Two one-sided tests at 95 %: the mean gain lies within the margin of nothing."""
    n = len(gains)
    if n < LEAST_SAMPLES:
        return False
    mean = sum(gains) / n
    error = math.sqrt(sum((each - mean) ** 2 for each in gains) / (n - 1) / n)
    reach = error * (_ONE_SIDED[n - 2] if n - 2 < len(_ONE_SIDED) else _FAR)
    return mean + reach < margin and mean - reach > -margin


def has_plateau(
    attempts: Sequence[Attempt], margin: float, plateau: float, consecutive: int
) -> bool:
    """Whether the last steps of entropy are all small, and gain little per bit."""
    known = [each for each in attempts if each.entropy is not None and each.points is not None]
    steps = [
        (abs((after.entropy or 0.0) - (before.entropy or 0.0)), after.points or 0.0)
        for before, after in pairwise(known)
    ][-consecutive:]
    if len(steps) < consecutive:
        return False
    total = sum(step for step, _ in steps)
    gained = sum(points for _, points in steps)
    is_little = gained / total < margin if total > 0 else gained < margin
    return all(step <= plateau for step, _ in steps) and is_little


def shannon_entropy(counts: Sequence[int]) -> float:
    """In bits; 0 where there is nothing, or only one kind of thing."""
    total = sum(counts)
    shares = [each / total for each in counts if each > 0] if total else []
    return -sum(share * math.log2(share) for share in shares)


def changed_entropy(before: str, after: str) -> float | None:
    """Entropy over the kinds of syntax that a change adds or removes; None: it does not parse."""
    try:
        old, new = (Counter(_kinds(source)) for source in (before, after))
    except NOT_PYTHON:
        return None
    return shannon_entropy([abs(new[kind] - old[kind]) for kind in {*old, *new}])


def _kinds(source: str) -> list[str]:
    return [type(node).__name__ for node in ast.walk(parse_module(source))]
