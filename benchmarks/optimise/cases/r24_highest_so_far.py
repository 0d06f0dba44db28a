# entry: records
"""Record temperatures."""

import random


def records(temperatures: list[int]) -> list[int]:
    """The highest temperature up to each day."""
    highest = []
    for day in range(len(temperatures)):
        highest.append(max(temperatures[: day + 1]))
    return highest


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(-30, 45) for _ in range(n)],), {}
