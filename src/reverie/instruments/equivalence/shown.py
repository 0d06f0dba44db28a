"""What calls made elsewhere have shown of two versions, as a search takes it for its own."""

from dataclasses import dataclass

Sides = tuple[frozenset[str], frozenset[str]]
"""Names of mutants, of old and of new."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Calls on which both versions did the same: which ways they went, what they would notice."""

    inputs: int = 0
    taken: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    """Ways of branches, numbered as the probes of the whole module number them."""
    noticed: Sides = (frozenset(), frozenset())
    idle: Sides = (frozenset(), frozenset())
    """They made a difference to their own statement again and again, and to nothing else."""


NOTHING = Shown()
