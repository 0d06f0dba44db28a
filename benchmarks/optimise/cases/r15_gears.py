# entry: common_teeth
"""Tooth counts of gear pairs."""

import random


def divisor(a: int, b: int) -> int:
    """The greatest number that divides both."""
    for candidate in range(min(a, b), 0, -1):
        if a % candidate == 0 and b % candidate == 0:
            return candidate
    return max(a, b)


def common_teeth(gears: list[tuple[int, int]]) -> list[int]:
    """The greatest common divisor of every pair."""
    return [divisor(a, b) for a, b in gears]


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([(r.randrange(1, n + 2), r.randrange(1, n + 2)) for _ in range(8)],), {}
