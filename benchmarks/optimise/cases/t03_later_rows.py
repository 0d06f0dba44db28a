# entry: names_of
"""Names of codes."""

import random


def name_of(rows: list[dict], code: str) -> str:
    """Name of the first row with the code."""
    for row in rows:
        if row["code"] == code:
            return row["name"]
    return "?"


def names_of(codes: list[str], rows: list[dict]) -> list[str]:
    """Names of all codes. Rows at the end may be comments without a code."""
    out = []
    for code in codes:
        out.append(name_of(rows, code))
    return out


def make_input(n: int, seed: int):
    r = random.Random(seed)
    rows = [{"code": f"c{i}", "name": f"n{i}"} for i in range(n)] + [{"note": "end"}]
    last = ["zz"] if r.random() < 0.3 else []
    return ([f"c{r.randrange(n)}" for _ in range(n)] + last, rows), {}
