"""A small Q-network that learns what promoting is worth, from outcomes replayed in random order."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from reverie.learning.weights.outcome import Table
from reverie.scoring.chance import draws

_FINE = 1 << 20


@dataclass(frozen=True, slots=True)
class DQNSynergyLearner:
    """One hidden layer. An episode is one move, so that the target is the reward itself."""

    hidden: int = 6
    replays: int = 40
    """Times that each outcome is replayed on average."""
    rate: float = 0.05

    def slopes(self, table: Table, seed: int) -> tuple[float, ...]:
        """How the worth of promoting changes with each column, on average over the outcomes."""
        net = _Net.random(len(table.names), self.hidden, seed)
        which = draws(seed + 1, len(table.rows))
        total = self.replays * len(table.rows)
        for done, at in enumerate(islice(which, total)):
            reward = 1.0 if table.survived[at] else -1.0
            net.learn(table.rows[at], reward, self.rate / (1 + 3 * done / total))
        gradients = [net.gradient(row) for row in table.rows]
        return tuple(sum(column) / len(column) for column in zip(*gradients, strict=True))


@dataclass(slots=True)
class _Net:
    """Inputs through tanh units to the worth of promoting; leaving it is worth nothing."""

    inner: list[list[float]]
    outer: list[float]

    @classmethod
    def random(cls, width: int, hidden: int, seed: int) -> "_Net":
        dice = draws(seed, _FINE)
        scale = 1 / math.sqrt(width + 1)
        inner = [
            [(each / _FINE - 0.5) * scale for each in islice(dice, width + 1)]
            for _ in range(hidden)
        ]
        return cls(inner, [(each / _FINE - 0.5) for each in islice(dice, hidden + 1)])

    def learn(self, row: Sequence[float], reward: float, rate: float) -> None:
        state, units = (1.0, *row), self._units(row)
        miss = reward - self._worth(units)
        before = list(self.outer)
        self.outer[0] += rate * miss
        for place, unit in enumerate(units):
            self.outer[place + 1] += rate * miss * unit
            push = rate * miss * before[place + 1] * (1 - unit * unit)
            weights = self.inner[place]
            for at, value in enumerate(state):
                weights[at] += push * value

    def gradient(self, row: Sequence[float]) -> list[float]:
        units = self._units(row)
        pulls = [out * (1 - unit * unit) for out, unit in zip(self.outer[1:], units, strict=True)]
        return [
            sum(pull * weights[at + 1] for pull, weights in zip(pulls, self.inner, strict=True))
            for at in range(len(row))
        ]

    def _units(self, row: Sequence[float]) -> list[float]:
        return [
            math.tanh(weights[0] + sum(w * x for w, x in zip(weights[1:], row, strict=True)))
            for weights in self.inner
        ]

    def _worth(self, units: Sequence[float]) -> float:
        return self.outer[0] + sum(o * u for o, u in zip(self.outer[1:], units, strict=True))
