# entry: shared_tags
"""One of a second set that was written before the rewrites it asks for."""

import random

def shared_tags(articles: list[list[str]]) -> list[tuple[int, int]]:
    """Pairs of articles that share a first tag."""
    pairs = []
    for i in range(len(articles)):
        for j in range(i + 1, len(articles)):
            if articles[i][0] == articles[j][0]:
                pairs.append((i, j))
    return pairs


def make_input(n, seed):
    r = random.Random(seed)
    return ([[f"t{r.randrange(n+1)}"] for _ in range(n)],), {}
