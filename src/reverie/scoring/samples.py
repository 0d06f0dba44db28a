"""Statistics of samples: seeded chance, quantiles, intervals, and robust figures.

Chance is an argument: the same seed draws the same numbers on every machine and version.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from reverie.model.measurements.benchmark import Estimate

_MASK = (1 << 64) - 1
_MULTIPLIER, _INCREMENT = 6364136223846793005, 1442695040888963407


def draws(seed: int, below: int) -> Iterator[int]:
    """An endless stream of whole numbers from 0 up to `below`, left out."""
    state = ((seed ^ 0x9E3779B97F4A7C15) * _MULTIPLIER + _INCREMENT) & _MASK
    while True:
        state = (state * _MULTIPLIER + _INCREMENT) & _MASK
        yield ((state >> 33) * below) >> 31


_TAIL = 0.025


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of an ordered, non-empty sample lies; interpolated."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def estimate(value: float, resampled: Sequence[float]) -> Estimate:
    """A value with the interval that holds 95 % of what its resamples gave."""
    ordered = sorted(resampled)
    return Estimate(value, quantile(ordered, _TAIL), quantile(ordered, 1 - _TAIL))


NORMAL = 1.4826
"""Turns a median absolute deviation into what a standard deviation is for normal noise."""
_Z95 = 1.959964


def finite(values: Iterable[float | None]) -> list[float]:
    """The values that are numbers; what is absent, infinite or not a number was not measured."""
    return [float(each) for each in values if each is not None and math.isfinite(each)]


def median(values: Sequence[float]) -> float:
    """The middle of a non-empty sample."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def spread(values: Sequence[float]) -> float:
    """The scaled median absolute deviation: the standard deviation of what is not an outlier."""
    centre = median(values)
    return NORMAL * median([abs(each - centre) for each in values])


def theil_sen(values: Sequence[float]) -> Estimate | None:
    """The median slope over all pairs with its 95 % interval (Sen); None below two values."""
    n = len(values)
    slopes = sorted(
        (values[j] - values[i]) / (j - i) for i in range(n - 1) for j in range(i + 1, n)
    )
    if not slopes:
        return None
    reach = _Z95 * math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    below = max(0, math.floor((len(slopes) - reach) / 2))
    above = min(len(slopes) - 1, math.ceil((len(slopes) + reach) / 2))
    return Estimate(median(slopes), slopes[below], slopes[above])
