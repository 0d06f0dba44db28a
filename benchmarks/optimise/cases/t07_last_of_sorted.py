# entry: latest
"""The version that wins."""

import random


def latest(versions: list[tuple[int, str]]) -> tuple[int, str] | None:
    """The version with the highest number; of equals the one that came last."""
    if not versions:
        return None
    return sorted(versions, key=lambda version: version[0])[-1]


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([(r.randrange(n // 3 + 1), f"v{i}") for i in range(n)],), {}
