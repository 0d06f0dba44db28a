# entry: totals
"""One of a second set that was written before the rewrites it asks for."""

import random

def total_of(sales: list[tuple[str, int]], shop: str) -> int:
    total = 0
    for name, cents in sales:
        if name == shop:
            total += cents
    return total


def totals(shops: list[str], sales: list[tuple[str, int]]) -> dict[str, int]:
    return {shop: total_of(sales, shop) for shop in shops}


def make_input(n, seed):
    r = random.Random(seed)
    return ([f"s{i}" for i in range(n)], [(f"s{r.randrange(n+1)}", i) for i in range(n)]), {}
