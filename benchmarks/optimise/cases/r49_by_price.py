# entry: by_price
"""Offers from the cheapest on."""

import random


def by_price(offers: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The cheapest first, offers of one price as they came."""
    result = offers[:]
    for i in range(1, len(result)):
        offer = result[i]
        j = i
        while j > 0 and result[j - 1][1] > offer[1]:
            result[j] = result[j - 1]
            j -= 1
        result[j] = offer
    return result


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([(f"shop {i}", r.randrange(n // 2 + 1)) for i in range(n)],), {}
