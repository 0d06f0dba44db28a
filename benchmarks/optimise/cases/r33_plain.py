# entry: unseen
"""Messages that were not shown yet."""

import random


def unseen(messages, shown):
    """Ids of messages that are not among the shown ones."""
    seen = [m["id"] for m in shown]
    fresh = []
    for message in messages:
        if message["id"] not in seen:
            fresh.append(message["id"])
    return fresh


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return (
        [{"id": f"m{r.randrange(2 * n + 1)}"} for _ in range(n)],
        [{"id": f"m{r.randrange(2 * n + 1)}"} for _ in range(n)],
    ), {}
