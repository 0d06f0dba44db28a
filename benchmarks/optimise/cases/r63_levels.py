# entry: levels
"""One of three that were written with the rewrites they ask for."""

import random


def neighbours(links: list[tuple[str, str]], node: str) -> list[str]:
    found = []
    for left, right in links:
        if left == node:
            found.append(right)
        elif right == node:
            found.append(left)
    return found


def levels(links: list[tuple[str, str]], start: str) -> dict[str, int]:
    distance: dict[str, int] = {start: 0}
    waiting = [start]
    while waiting:
        node = waiting.pop(0)
        for other in neighbours(links, node):
            if other not in distance:
                distance[other] = distance[node] + 1
                waiting.append(other)
    return distance


def make_input(n, seed):
    r = random.Random(seed)
    return ([(str(r.randrange(n + 1)), str(r.randrange(n + 1))) for _ in range(n)], "0"), {}
