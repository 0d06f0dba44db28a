# entry: gusts
"""How much the wind changes."""

import random


def gusts(speeds: list[int], hours: int) -> list[int]:
    """The strongest less the weakest of the last hours, from the first hour on."""
    found = []
    for hour in range(len(speeds)):
        recent = speeds[max(0, hour - hours + 1) : hour + 1]
        found.append(max(recent) - min(recent))
    return found


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(120) for _ in range(n)], n // 4 + 1), {}
