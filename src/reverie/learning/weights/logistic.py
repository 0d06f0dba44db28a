"""Ridge-regularised logistic regression, learned online: one outcome after another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.learning.weights.outcome import Table

_FURTHEST = 30.0


@dataclass(frozen=True, slots=True)
class LogisticLearner:
    """The default."""

    ridge: float = 0.02
    passes: int = 60
    rate: float = 0.3

    def slopes(self, table: Table, seed: int) -> tuple[float, ...]:
        """The coefficients of the columns."""
        return self.fit(table.rows, table.survived)[1:]

    def fit(self, rows: Sequence[Sequence[float]], survived: Sequence[bool]) -> tuple[float, ...]:
        """The intercept, then a coefficient for each column. Steps get smaller with every pass."""
        found = [0.0] * (1 + len(rows[0]))
        for done in range(self.passes):
            step = self.rate / (1 + 0.3 * done)
            for row, truth in zip(rows, survived, strict=True):
                miss = truth - sigmoid(_score(found, row))
                found[0] += step * miss
                for place, value in enumerate(row, 1):
                    found[place] += step * (miss * value - self.ridge * found[place])
        return tuple(found)


def sigmoid(value: float) -> float:
    """From any number to a share; what is far out stays a number."""
    return 1.0 / (1.0 + math.exp(-max(-_FURTHEST, min(_FURTHEST, value))))


def _score(found: Sequence[float], row: Sequence[float]) -> float:
    return found[0] + sum(one * value for one, value in zip(found[1:], row, strict=True))
