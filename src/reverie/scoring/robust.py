"""Statistics that a single wild value does not move."""

import math
from collections.abc import Iterable, Sequence

from reverie.model.benchmark import Estimate

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
