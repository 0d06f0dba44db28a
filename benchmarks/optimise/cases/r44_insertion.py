# entry: ordered
"""One of a second set that was written before the rewrites it asks for."""

import random

def ordered(values: list[int]) -> list[int]:
    """The values, ascending."""
    result: list[int] = []
    for value in values:
        place = 0
        while place < len(result) and result[place] <= value:
            place += 1
        result.insert(place, value)
    return result


def make_input(n, seed):
    r = random.Random(seed)
    return ([r.randrange(9999) for _ in range(n)],), {}
