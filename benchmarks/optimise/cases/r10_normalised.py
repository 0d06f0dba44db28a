# entry: normalised
"""Readings on a scale from nought to one."""

import random


def normalised(readings: list[float]) -> list[float]:
    """Each reading between the lowest (0) and the highest (1)."""
    scaled = []
    for reading in readings:
        if max(readings) == min(readings):
            scaled.append(0.0)
        else:
            scaled.append((reading - min(readings)) / (max(readings) - min(readings)))
    return scaled


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.uniform(-5, 5) for _ in range(n)],), {}
