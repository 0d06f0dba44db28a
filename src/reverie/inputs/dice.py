"""Chance that falls the same way in every process and on every Python.

Only `random.Random.random` is used below: its sequence for a seed is promised by the language.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """A seeded source of choices. Text seeds give streams that do not touch one another."""

    def __init__(self, seed: "str | int | random.Random") -> None:
        self._random = seed if isinstance(seed, random.Random) else random.Random(str(seed))

    def below(self, bound: int) -> int:
        """A whole number from 0 up to, not including, `bound`."""
        return int(self._random.random() * bound)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._random.random() < probability

    def pick(self, options: Sequence[_T]) -> _T:
        """One of the options."""
        return options[self.below(len(options))]

    def some(self, options: Sequence[_T], count: int) -> list[_T]:
        """Up to `count` different options, in the order drawn."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
