# entry: ranks
"""One of a second set that was written before the rewrites it asks for."""

import random

def rank_of(score: int, scores: list[int]) -> int:
    return 1 + sum(1 for other in scores if other > score)


def ranks(scores: list[int]) -> list[int]:
    out = []
    for score in scores:
        out.append(rank_of(score, scores))
    return out


def make_input(n, seed):
    r = random.Random(seed)
    return ([r.randrange(n+1) for _ in range(n)],), {}
