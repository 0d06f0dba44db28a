# entry: best_load
"""What to load on the van."""

import random


def best_load(weights: list[int], values: list[int], limit: int) -> int:
    """The highest value of parcels that stay within the limit."""

    def best(place: int, left: int) -> int:
        if place == len(weights):
            return 0
        without = best(place + 1, left)
        if weights[place] > left:
            return without
        return max(without, values[place] + best(place + 1, left - weights[place]))

    return best(0, limit)


def make_input(n: int, seed: int):
    r = random.Random(seed)
    size = min(n, 16)
    weights = [r.randrange(1, 6) for _ in range(size)]
    return (weights, [r.randrange(1, 50) for _ in range(size)], 2 * size), {}
