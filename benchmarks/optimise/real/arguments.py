"""For `AndOr_Base.flatten` of sympy (`sympy/core/logic.py`)."""

from typing import Any


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """Names of n facts, as `And` and `Or` are given them."""
    return [tuple(f"fact_{seed}_{number}" for number in range(n))], {}
