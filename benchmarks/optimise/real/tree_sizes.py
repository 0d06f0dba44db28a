"""For `_tree_edges` of networkx (`networkx/generators/classic.py`)."""

from typing import Any


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """A tree of n nodes, in which each has two, three or four children."""
    return [n, 2 + seed % 3], {}
