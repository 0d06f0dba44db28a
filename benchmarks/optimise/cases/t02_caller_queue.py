# entry: taken
"""Take tickets off a shared pile."""

import random


def taken(pile: list[int], count: int) -> list[int]:
    """The next tickets; they are gone from the pile."""
    tickets = []
    while pile and len(tickets) < count:
        tickets.append(pile.pop(0))
    return tickets


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(99) for _ in range(n)], n // 2), {}
