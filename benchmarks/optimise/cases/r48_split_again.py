# entry: columns
"""One of a second set that was written before the rewrites it asks for."""

import random

def column(text: str, number: int) -> list[str]:
    return [line.split(",")[number] for line in text.splitlines()]


def columns(text: str, numbers: list[int]) -> list[list[str]]:
    out = []
    for number in numbers:
        out.append(column(text, number))
    return out


def make_input(n, seed):
    return ("\n".join("a,b,c,d" for _ in range(n)), [0, 1, 2, 3, 1, 2]), {}
