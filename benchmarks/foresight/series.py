"""Series of six kinds, and series that collapse or do not: made from a seed, truth included."""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

HORIZON = 5


@dataclass(frozen=True, slots=True)
class Known:
    """A history and what came after it."""

    kind: str
    history: tuple[float, ...]
    future: tuple[float, ...]


def _trend(dice: random.Random, n: int) -> list[float]:
    slope, noise = dice.uniform(-1, 1), dice.uniform(0.3, 1.5)
    return [10 + slope * at + dice.gauss(0, noise) for at in range(n)]


def _step(dice: random.Random, n: int) -> list[float]:
    at_least = dice.randrange(4, n - HORIZON)
    height, noise = dice.choice((-1, 1)) * dice.uniform(3, 8), dice.uniform(0.3, 1.0)
    return [10 + height * (at >= at_least) + dice.gauss(0, noise) for at in range(n)]


def _noise(dice: random.Random, n: int) -> list[float]:
    spread = dice.uniform(0.5, 3)
    return [8 + dice.gauss(0, spread) for _ in range(n)]


def _collapse(dice: random.Random, n: int) -> list[float]:
    start, rate, noise = dice.randrange(4, n), dice.uniform(0.1, 0.5), dice.uniform(0.2, 0.8)
    return [12 * math.exp(-rate * max(0, at - start)) + dice.gauss(0, noise) for at in range(n)]


def _seasonal(dice: random.Random, n: int) -> list[float]:
    period, height, noise = dice.randrange(3, 9), dice.uniform(1, 4), dice.uniform(0.3, 1.0)
    turn = dice.uniform(0, 2 * math.pi)
    wave = [height * math.sin(2 * math.pi * at / period + turn) for at in range(n)]
    return [10 + each + dice.gauss(0, noise) for each in wave]


def _sparse(dice: random.Random, n: int) -> list[float]:
    often, size = dice.uniform(0.15, 0.4), dice.uniform(2, 8)
    return [dice.expovariate(1 / size) if dice.random() < often else 0.0 for _ in range(n)]


KINDS: Mapping[str, Callable[[random.Random, int], list[float]]] = {
    "trend": _trend,
    "step": _step,
    "noise": _noise,
    "collapse": _collapse,
    "seasonal": _seasonal,
    "sparse": _sparse,
}


def make_series(count: int, seed: int) -> list[Known]:
    """As many of every kind, of 12 to 48 cycles, each with the five that follow."""
    dice = random.Random(seed)
    made = []
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        n = dice.randrange(12, 49) + HORIZON
        values = KINDS[kind](dice, n)
        made.append(Known(kind, tuple(values[:-HORIZON]), tuple(values[-HORIZON:])))
    return made


@dataclass(frozen=True, slots=True)
class Planted:
    """Ten cycles, and whether what they are worth is about to be gone."""

    kind: str
    history: tuple[float, ...]
    collapses: bool


def _falling(dice: random.Random) -> list[float]:
    """Steady, then down by a steep share each cycle: gone within two cycles after the last."""
    level, noise = dice.uniform(5, 20), dice.uniform(0.02, 0.08)
    start = dice.randrange(3, 7)
    step = level / dice.uniform(10.5 - start, 11.5 - start)
    return [level - step * max(0, at - start + 1) + dice.gauss(0, noise * level)
            for at in range(10)]  # fmt: skip


def _sliding(dice: random.Random) -> list[float]:
    """Down from the first cycle on: gone within two cycles after the last."""
    level, noise = dice.uniform(5, 20), dice.uniform(0.02, 0.08)
    step = level / dice.uniform(9.5, 10.8)
    return [level - step * at + dice.gauss(0, noise * level) for at in range(10)]


def _steady(dice: random.Random) -> list[float]:
    level, noise = dice.uniform(5, 20), dice.uniform(0.02, 0.12)
    return [level + dice.gauss(0, noise * level) for _ in range(10)]


def _rising(dice: random.Random) -> list[float]:
    level, noise = dice.uniform(2, 10), dice.uniform(0.02, 0.12)
    return [level * (1 + 0.08 * at) + dice.gauss(0, noise * level) for at in range(10)]


def _decaying(dice: random.Random) -> list[float]:
    """Down slowly: more than half is left after five more cycles."""
    level, noise = dice.uniform(5, 20), dice.uniform(0.02, 0.06)
    rate = dice.uniform(0.01, 0.03)
    return [level * (1 - rate * at) + dice.gauss(0, noise * level) for at in range(10)]


def _dented(dice: random.Random) -> list[float]:
    """Steady but for one wild cycle, perhaps the last."""
    values = _steady(dice)
    values[dice.randrange(10)] *= dice.choice((0.1, 0.3, 2.0))
    return values


def _wild(dice: random.Random) -> list[float]:
    level = dice.uniform(5, 15)
    return [level + dice.gauss(0, 0.5 * level) for _ in range(10)]


_FATES = {
    "falling": (_falling, True),
    "sliding": (_sliding, True),
    "steady": (_steady, False),
    "rising": (_rising, False),
    "decaying": (_decaying, False),
    "dented": (_dented, False),
    "wild": (_wild, False),
}


def make_planted(count: int, seed: int) -> list[Planted]:
    """Half of them collapse; the rest is steady, rising, decaying, dented or wild."""
    dice = random.Random(seed)
    bad = [name for name, (_, collapses) in _FATES.items() if collapses]
    good = [name for name in _FATES if name not in bad]
    made = []
    for number in range(count):
        pool = bad if number % 2 else good
        kind = pool[number // 2 % len(pool)]
        make, collapses = _FATES[kind]
        made.append(Planted(kind, tuple(make(dice)), collapses))
    return made
