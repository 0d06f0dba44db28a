# entry: reachable
"""What a module needs."""

import random


def reachable(graph: dict[str, list[str]], start: str) -> list[str]:
    """Everything that start leads to, in the order of a depth-first walk."""
    visited: list[str] = []
    stack = [start]
    while stack:
        node = stack.pop()
        if node in visited:
            continue
        visited.append(node)
        for child in reversed(graph.get(node, [])):
            if child not in visited:
                stack.append(child)
    return visited


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ({f"n{i}": [f"n{r.randrange(n)}" for _ in range(3)] for i in range(n)}, "n0"), {}
