"""How wide: intervals from what the same models missed by before, widened where little is known."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reverie.scoring.forecasting.backtest import Miss
from reverie.scoring.robust import spread

LEVELS = (0.80, 0.95)
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
