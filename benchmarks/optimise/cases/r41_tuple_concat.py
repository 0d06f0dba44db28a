# entry: numbered
"""One of a second set that was written before the rewrites it asks for."""

import random

def numbered(words: list[str]) -> tuple[str, ...]:
    out: tuple[str, ...] = ()
    for i, word in enumerate(words):
        out = out + (f"{i}: {word}",)
    return out


def make_input(n, seed):
    return ([str(i) for i in range(n)],), {}
