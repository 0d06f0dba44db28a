# entry: priced
"""Prices with a tally of lookups."""

import random


class Prices:
    """Looks prices up, and says how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def of(self, item: str) -> int:
        """Price of an item."""
        self.asked += 1
        return sum(ord(letter) for letter in item * 20)


def priced(items: list[str]) -> tuple[list[int], int]:
    """The prices, and the number of lookups that are charged."""
    prices = Prices()
    return [prices.of(item) for item in items], prices.asked


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([f"i{r.randrange(7)}" for _ in range(n)],), {}
