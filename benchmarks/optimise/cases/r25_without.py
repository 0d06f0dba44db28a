# entry: without_marker
"""Cells without the marker of empty ones."""

import random


def without_marker(cells: list[str], marker: str = "-") -> list[str]:
    """The cells in order, those that are the marker left out."""
    kept = list(cells)
    while marker in kept:
        kept.remove(marker)
    return kept


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.choice(["-", "a", "b"]) for _ in range(n)],), {}
