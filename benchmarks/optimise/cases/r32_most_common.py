# entry: favourite
"""The dish that is ordered most."""

import random


def favourite(orders: list[str]) -> str:
    """The most frequent dish; of equals the one ordered first. Empty when nobody orders."""
    if not orders:
        return ""
    return max(orders, key=orders.count)


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([f"d{r.randrange(n // 3 + 1)}" for _ in range(n)],), {}
