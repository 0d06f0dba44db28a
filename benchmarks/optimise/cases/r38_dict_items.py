# entry: names_of
"""One of a second set that was written before the rewrites it asks for."""

import random

def key_of(table: dict[str, int], wanted: int) -> str | None:
    for name, number in table.items():
        if number == wanted:
            return name
    return None


def names_of(table: dict[str, int], numbers: list[int]) -> list[str | None]:
    return [key_of(table, number) for number in numbers]


def make_input(n, seed):
    r = random.Random(seed)
    return ({f"k{i}": r.randrange(n+1) for i in range(n)}, [r.randrange(n+1) for _ in range(n)]), {}
