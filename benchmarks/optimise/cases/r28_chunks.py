# entry: chunks
"""Batches for an upload."""

import random


def chunks(rows: list[int], size: int) -> list[list[int]]:
    """The rows in batches of a size, the last one may be shorter."""
    batches = []
    rest = rows
    while rest:
        batches.append(rest[:size])
        rest = rest[size:]
    return batches


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(99) for _ in range(n)], 3), {}
