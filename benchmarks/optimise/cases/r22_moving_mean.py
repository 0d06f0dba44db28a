# entry: moving_mean
"""Smoothed visitor numbers."""

import random


def moving_mean(visitors: list[int], days: int) -> list[float]:
    """Mean of each day and those before it, as many as there are up to `days`."""
    means = []
    for i in range(len(visitors)):
        window = visitors[max(0, i - days + 1) : i + 1]
        means.append(sum(window) / len(window))
    return means


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(5000) for _ in range(n)], n // 3 + 1), {}
