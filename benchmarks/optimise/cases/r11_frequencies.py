# entry: frequencies
"""How often each word stands in a text."""

import random


def frequencies(text: str) -> dict[str, int]:
    """Words in alphabetical order with their number."""
    words = text.split()
    return {word: words.count(word) for word in sorted(set(words))}


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return (" ".join(f"w{r.randrange(n // 2 + 1)}" for _ in range(n)),), {}
