# entry: added_rows
"""What a sync has to insert."""

import random


def added_rows(local: list[int], remote: list[int]) -> list[int]:
    """Ids that are in remote and not in local, in remote's order."""
    return [row for row in remote if row not in local]


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.randrange(2 * n + 1) for _ in range(n)], [r.randrange(2 * n + 1) for _ in range(n)]), {}
