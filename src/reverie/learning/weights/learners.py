"""Learners of weights: from a table of outcomes, how much a unit of each part speaks for survival.

An outcome is a promotion that was decided, and whether it survived. The learners are
ridge-regularised logistic regression (online), a small Q-network (outcomes replayed in random
order), and an actor that learns to promote with a critic that tells it what it could have
expected.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from reverie.errors import UsageError
from reverie.scoring.samples import draws

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One promotion."""

    parts: Mapping[str, float]
    """Points of each part of its ROI before any weight; what costs is negative."""
    survived: bool
    """Approved, not rolled back, and no later failure in its files."""


@dataclass(frozen=True, slots=True)
class Table:
    """Outcomes as rows of figures on one scale, so that no part is loud by its unit."""

    names: tuple[str, ...]
    scales: tuple[float, ...]
    rows: tuple[tuple[float, ...], ...]
    survived: tuple[bool, ...]


def table_of(outcomes: Sequence[Outcome]) -> Table:
    """Every part as a column, in units of its own spread."""
    names = tuple(sorted({name for each in outcomes for name in each.parts}))
    columns = [[each.parts.get(name, 0.0) for each in outcomes] for name in names]
    scales = tuple(_scale(column) for column in columns)
    rows = tuple(
        tuple(each.parts.get(name, 0.0) / scale for name, scale in zip(names, scales, strict=True))
        for each in outcomes
    )
    return Table(names, scales, rows, tuple(each.survived for each in outcomes))


def worth(parts: Mapping[str, float], weights: Weights) -> float:
    """Points under some weights; a part without a weight counts as it is."""
    return sum(points * weights.get(name, 1.0) for name, points in parts.items())


def _scale(column: Sequence[float]) -> float:
    mean = sum(column) / len(column)
    spread = math.sqrt(sum((each - mean) ** 2 for each in column) / len(column))
    return spread or max((abs(each) for each in column), default=1.0) or 1.0


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


_FINE = 1 << 20


@dataclass(frozen=True, slots=True)
class ActorCriticLearner:
    """Each outcome is one move: promote or leave it; what survived pays 1, what did not costs 1."""

    passes: int = 80
    actor_rate: float = 0.1
    critic_rate: float = 0.05
    ridge: float = 0.002

    def slopes(self, table: Table, seed: int) -> tuple[float, ...]:
        """The actor's preferences."""
        width = len(table.names)
        actor, critic = [0.0] * (width + 1), [0.0] * (width + 1)
        dice = draws(seed, _FINE)
        for done in range(self.passes):
            ease = 1 / (1 + 0.05 * done)
            for row, truth in zip(table.rows, table.survived, strict=True):
                state = (1.0, *row)
                chance = sigmoid(_dot(actor, state))
                promotes = next(islice(dice, 1)) / _FINE < chance
                reward = (1.0 if truth else -1.0) if promotes else 0.0
                surprise = reward - _dot(critic, state)
                push = (1.0 - chance) if promotes else -chance
                for place, value in enumerate(state):
                    critic[place] += self.critic_rate * ease * surprise * value
                    gain = surprise * push * value - self.ridge * actor[place]
                    actor[place] += self.actor_rate * ease * gain
        return tuple(actor[1:])


def _dot(some: list[float], state: tuple[float, ...]) -> float:
    return sum(one * value for one, value in zip(some, state, strict=True))


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


class Learner(Protocol):
    """One way to learn. The same table and seed give the same answer."""

    def slopes(self, table: Table, seed: int) -> tuple[float, ...]:
        """For each column: how much its unit raises what speaks for survival."""
        ...


LEARNERS: Mapping[str, Learner] = {
    "logistic": LogisticLearner(),
    "actor-critic": ActorCriticLearner(),
    "dqn": DQNSynergyLearner(),
}


def learner_of(name: str) -> Learner:
    """The learner of a name."""
    if name not in LEARNERS:
        raise UsageError(f"{name!r} is no learner: {', '.join(LEARNERS)}")
    return LEARNERS[name]
