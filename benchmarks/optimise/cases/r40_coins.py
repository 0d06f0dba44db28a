# entry: ways
"""One of a second set that was written before the rewrites it asks for."""

import random

def ways(amount: int, coins: list[int], first: int = 0) -> int:
    """Ways to pay an amount with coins from `first` on."""
    if amount == 0:
        return 1
    if amount < 0 or first >= len(coins):
        return 0
    return ways(amount - coins[first], coins, first) + ways(amount, coins, first + 1)


def make_input(n, seed):
    return (min(n, 60), [1, 2, 5, 10, 20]), {}
