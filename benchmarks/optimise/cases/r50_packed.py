# entry: missing
"""What a parcel lacks."""

import random


def missing(ordered: list[str], packed: list[str]) -> tuple[list[str], bool]:
    """Articles that were not packed, and whether anything too many was."""
    left = packed.copy()
    lacking = []
    for article in ordered:
        if article in left:
            left.remove(article)
        else:
            lacking.append(article)
    return lacking, bool(left)


def make_input(n: int, seed: int):
    r = random.Random(seed)
    ordered = [f"article {r.randrange(n + 1)}" for _ in range(n)]
    packed = ordered[r.randrange(3) :] + ["leaflet"] * r.randrange(2)
    r.shuffle(packed)
    return (ordered, packed), {}
