# entry: bands
"""Postage by weight."""

import random


def bands(weights: list[int], limits: list[int]) -> list[int]:
    """Number of the first limit that holds each weight; the number of limits when none does."""
    ordered = sorted(limits)
    found = []
    for weight in weights:
        place = len(ordered)
        for i, limit in enumerate(ordered):
            if weight <= limit:
                place = i
                break
        found.append(place)
    return found


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return (
        [r.randrange(2 * n + 2) for _ in range(n)], [r.randrange(2 * n + 2) for _ in range(n)]
    ), {}
