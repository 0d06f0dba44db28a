# entry: edit_distance
"""How far two spellings are apart."""

import random


def edit_distance(a: str, b: str) -> int:
    """Insertions, deletions and replacements that make b of a."""
    if not a:
        return len(b)
    if not b:
        return len(a)
    if a[0] == b[0]:
        return edit_distance(a[1:], b[1:])
    return 1 + min(edit_distance(a[1:], b), edit_distance(a, b[1:]), edit_distance(a[1:], b[1:]))


def make_input(n: int, seed: int):
    r = random.Random(seed)
    size = min(n, 8)
    return ("".join(r.choice("abcd") for _ in range(size)), "".join(r.choice("abcd") for _ in range(size))), {}
