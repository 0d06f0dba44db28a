# entry: recent_first
"""History shown in the browser."""

import random


def recent_first(visits: list[str]) -> list[str]:
    """Visits, the last one first, reloads of a page left out."""
    shown: list[str] = []
    last = None
    for page in visits:
        if page != last:
            shown.insert(0, page)
        last = page
    return shown


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([f"p{r.randrange(9)}" for _ in range(n)],), {}
