# entry: distinct_cells
"""One of three that were written with the rewrites they ask for."""

import random


def distinct_cells(cells: list[tuple[int, str]]) -> list[tuple[int, str]]:
    kept: list[tuple[int, str]] = []
    for row, column in cells:
        for other_row, other_column in kept:
            if other_column == column and other_row == row:
                break
        else:
            kept.append((row, column))
    return kept


def make_input(n, seed):
    r = random.Random(seed)
    return ([(r.randrange(n + 1), r.choice("abc")) for _ in range(n)],), {}
