# entry: top_scores
"""The best of a season."""

import random


def top_scores(scores: list[int], count: int = 5) -> list[int]:
    """The highest scores, best first."""
    return sorted(scores, reverse=True)[:count]


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(10**6) for _ in range(n)],), {"count": r.choice([1, 3, 5])}
