"""How alike two workflows are, and whether one leans on too little."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overfitting:
    """Whether a workflow leans on too few modules, or on one too often."""

    entropy: float
    """Bits over the modules of its steps."""
    is_low_entropy: bool
    repeated: tuple[str, ...]
    """Modules that come up too often."""

    @property
    def is_overfit(self) -> bool:
        """Whether either holds."""
        return self.is_low_entropy or bool(self.repeated)


@dataclass(frozen=True, slots=True)
class SynergyScores:
    """Two workflows, compared."""

    similarity: float
    """From 0 to 1: common steps in order, and the likeness of the two step graphs."""
    shared_module_ratio: float
    entropy_a: float
    entropy_b: float
    efficiency: float | None
    """Minutes of worth, after risk, per second of running; mean of both; None: not measured."""
    modularity: float | None
    """Of the step graph of both together; None when it has no edge."""
    aggregate: float
    """Mean of the parts that there are, scaled to 0 to 1."""
    overfit_a: Overfitting
    overfit_b: Overfitting

    @property
    def entropy_gap(self) -> float:
        """How far the entropies are apart, in bits."""
        return abs(self.entropy_a - self.entropy_b)
