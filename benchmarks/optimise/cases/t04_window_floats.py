# entry: averages
"""Moving averages of prices."""

import random


def averages(prices: list[float], width: int) -> list[float]:
    """Average of every full window."""
    found = []
    for i in range(len(prices) - width + 1):
        found.append(sum(prices[i : i + width]) / width)
    return found


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.uniform(0, 1) * 10 ** r.randrange(-6, 9) for _ in range(n)], n // 3 + 1), {}
