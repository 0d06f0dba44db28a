# entry: kept_readings
"""Readings without repeats."""

import random


def kept_readings(readings: list[float]) -> list[float]:
    """Readings that equal none before them: what is not a number equals nothing."""
    kept: list[float] = []
    for reading in readings:
        found = False
        for other in kept:
            if other == reading:
                found = True
                break
        if not found:
            kept.append(reading)
    return kept


def make_input(n: int, seed: int):
    r = random.Random(seed)
    nan = float("nan")
    return ([r.choice([nan, 0.0, -0.0, 1.5, float(r.randrange(n + 1))]) for _ in range(n)],), {}
