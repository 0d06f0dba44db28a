# entry: as_csv
"""Rows as comma separated text."""

import random


class Writer:
    """Collects lines."""

    def __init__(self) -> None:
        self.text = ""

    def row(self, cells: list[str]) -> None:
        """Add one line."""
        self.text += ",".join(cells) + "\n"


def as_csv(rows: list[list[str]]) -> str:
    """All rows, one on a line."""
    writer = Writer()
    for row in rows:
        writer.row(row)
    return writer.text


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([[str(r.randrange(99)) for _ in range(4)] for _ in range(n)],), {}
