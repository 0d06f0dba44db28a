"""Quantiles of a sample, and intervals from resamples of it."""

from collections.abc import Sequence

from reverie.model.benchmark import Estimate

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
