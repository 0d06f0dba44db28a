"""Chance as an argument: the same seed draws the same numbers on every machine and version."""

from collections.abc import Iterator

_MASK = (1 << 64) - 1
_MULTIPLIER, _INCREMENT = 6364136223846793005, 1442695040888963407


def draws(seed: int, below: int) -> Iterator[int]:
    """An endless stream of whole numbers from 0 up to `below`, left out."""
    state = ((seed ^ 0x9E3779B97F4A7C15) * _MULTIPLIER + _INCREMENT) & _MASK
    while True:
        state = (state * _MULTIPLIER + _INCREMENT) & _MASK
        yield ((state >> 33) * below) >> 31
