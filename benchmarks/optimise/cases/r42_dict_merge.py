# entry: merged
"""One of a second set that was written before the rewrites it asks for."""

import random

def merged(parts: list[dict[str, int]]) -> dict[str, int]:
    out: dict[str, int] = {}
    for part in parts:
        out = {**out, **part}
    return out


def make_input(n, seed):
    r = random.Random(seed)
    return ([{f"k{r.randrange(n+1)}": i} for i in range(n)],), {}
