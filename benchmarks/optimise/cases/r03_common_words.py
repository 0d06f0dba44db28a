# entry: common_words
"""Words that two documents share."""

import random


def common_words(left: list[str], right: list[str]) -> list[str]:
    """Words of left that right has too, each once, in left's order."""
    shared: list[str] = []
    for word in left:
        for other in right:
            if word == other:
                if word not in shared:
                    shared.append(word)
                break
    return shared


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return (
        [f"w{r.randrange(2 * n + 1)}" for _ in range(n)],
        [f"w{r.randrange(2 * n + 1)}" for _ in range(n)],
    ), {}
