# entry: best_trade
"""What hindsight would have earned."""

import random


def best_trade(prices: list[int]) -> int:
    """The most that buying once and selling once later earns; 0 when prices only fall."""
    best = 0
    for i in range(len(prices)):
        for j in range(i + 1, len(prices)):
            gain = prices[j] - prices[i]
            if gain > best:
                best = gain
    return best


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(1, 10**6) for _ in range(n)],), {}
