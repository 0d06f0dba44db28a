# entry: transposed
"""Columns of a table."""

import random


def transposed(table: list[list[int]]) -> list[list[int]]:
    """Rows become columns. All rows are of one length."""
    if not table:
        return []
    columns = []
    for j in range(len(table[0])):
        column = []
        for i in range(len(table)):
            column.append(table[i][j])
        columns.append(column)
    return columns


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([[r.randrange(9) for _ in range(n)] for _ in range(n)],), {}
