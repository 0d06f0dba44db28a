"""For `Permutation.from_inversion_vector` of sympy (`sympy/combinatorics/permutations.py`)."""

import random
from typing import Any


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """An inversion vector of a permutation of n + 1 numbers."""
    chance = random.Random(seed)
    return [[chance.randrange(n - place + 1) for place in range(n)]], {}
