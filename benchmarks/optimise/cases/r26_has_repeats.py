# entry: has_repeats
"""Ticket numbers must not repeat."""

import random


def has_repeats(numbers: list[str]) -> bool:
    """Whether any number is there twice."""
    for i in range(len(numbers)):
        for j in range(i + 1, len(numbers)):
            if numbers[i] == numbers[j]:
                return True
    return False


def make_input(n: int, seed: int):
    r = random.Random(seed)
    numbers = [f"t{i}" for i in range(n)]
    r.shuffle(numbers)
    if numbers and r.random() < 0.3:
        numbers[-1] = numbers[0]
    return (numbers,), {}
