# entry: peaks
"""One of a second set that was written before the rewrites it asks for."""

import random

def peaks(values: list[int], width: int) -> list[int]:
    """The largest of every full window."""
    found = []
    for start in range(len(values) - width + 1):
        found.append(max(values[start:start + width]))
    return found


def make_input(n, seed):
    r = random.Random(seed)
    return ([r.randrange(999) for _ in range(n)], n // 4 + 1), {}
