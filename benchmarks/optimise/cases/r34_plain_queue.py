# entry: levels
"""Depth of every node of a tree."""

import random


def levels(children, root):
    """Depth by node, from the root down."""
    depth = {root: 0}
    queue = [root]
    while len(queue) > 0:
        node = queue.pop(0)
        for child in children.get(node, ()):
            if child not in depth.keys():
                depth[child] = depth[node] + 1
                queue.append(child)
    return depth


def make_input(n: int, seed: int):
    r = random.Random(seed)
    children = {}
    for i in range(1, n):
        children.setdefault(0 if r.random() < 0.6 else r.randrange(i), []).append(i)
    return (children, 0), {}
