# entry: ranks
"""Ranks in a table that grows."""

import random


def ranks(arrivals: list[int]) -> list[int]:
    """How many places behind the best so far each arrival is; the best so far may sink by decay."""
    table: list[int] = [0]
    found = []
    for arrival in arrivals:
        best = max(table)
        found.append(best - arrival)
        table.append(arrival)
        if len(table) > 5:
            table.pop(0)
    return found


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(100) for _ in range(n)],), {}
