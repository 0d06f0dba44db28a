# entry: cost
"""One of three that were written with the rewrites they ask for."""

import random


def take_least(pieces: list[int]) -> int:
    best = 0
    for i in range(1, len(pieces)):
        if pieces[i] < pieces[best]:
            best = i
    return pieces.pop(best)


def cost(lengths: list[int]) -> int:
    pieces = list(lengths)
    total = 0
    while len(pieces) > 1:
        one = take_least(pieces)
        two = take_least(pieces)
        total += one + two
        pieces.append(one + two)
    return total


def make_input(n, seed):
    r = random.Random(seed)
    return ([r.randrange(1, n + 2) for _ in range(n)],), {}
