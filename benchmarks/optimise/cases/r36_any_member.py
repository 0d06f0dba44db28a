# entry: overlaps
"""One of a second set that was written before the rewrites it asks for."""

import random

def is_blocked(word: str, blocked: list[str]) -> bool:
    for other in blocked:
        if other == word:
            return True
    return False


def overlaps(words: list[str], blocked: list[str]) -> int:
    """How many words are blocked."""
    count = 0
    for word in words:
        if is_blocked(word, blocked):
            count += 1
    return count


def make_input(n, seed):
    r = random.Random(seed)
    return ([f"w{r.randrange(2*n+1)}" for _ in range(n)], [f"w{r.randrange(2*n+1)}" for _ in range(n)]), {}
