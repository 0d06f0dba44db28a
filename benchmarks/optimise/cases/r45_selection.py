# entry: sorted_copy
"""One of a second set that was written before the rewrites it asks for."""

import random

def sorted_copy(values: list[int]) -> list[int]:
    left = list(values)
    out = []
    while left:
        smallest = left[0]
        for value in left:
            if value < smallest:
                smallest = value
        left.remove(smallest)
        out.append(smallest)
    return out


def make_input(n, seed):
    r = random.Random(seed)
    return ([r.randrange(9999) for _ in range(n)],), {}
