# entry: first_pair
"""Two parcels that fill a box."""

import random


def first_pair(sizes: list[int], box: int) -> tuple[int, int] | None:
    """Places (i, j), i < j, of the first pair that fills the box; smallest i, then smallest j."""
    for i in range(len(sizes)):
        for j in range(i + 1, len(sizes)):
            if sizes[i] + sizes[j] == box:
                return (i, j)
    return None


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([2 * r.randrange(n + 1) for _ in range(n)], r.choice([2 * n, 2 * n + 1])), {}
