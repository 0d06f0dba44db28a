# entry: all_valid
"""Check all fields and note what is wrong."""

import random


def check(field: str, notes: list[str]) -> bool:
    """Whether a field is filled; else a note is added."""
    if field:
        return True
    notes.append(f"empty field {len(notes)}")
    return False


def all_valid(fields: list[str]) -> tuple[bool, list[str]]:
    """Whether all fields are filled, and every note."""
    notes: list[str] = []
    return all([check(field, notes) for field in fields]), notes


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.choice(["", "a", "b"]) for _ in range(n)],), {}
