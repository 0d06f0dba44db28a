"""For `weights_to_creation_sequence` of networkx (`networkx/algorithms/threshold.py`)."""

import random
from typing import Any


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """Weights of n nodes, most of them too small for an edge with any but the largest."""
    chance = random.Random(seed)
    return [[chance.random() ** 2 for _ in range(n)]], {}
