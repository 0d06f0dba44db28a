"""What would be worth doing in a repository, with the evidence that says so."""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.roi import RiskAdjusted, Roi


class SuggestionKind(StrEnum):
    """What to do."""

    TEST = "test"
    REFACTOR = "refactor"
    OPTIMISE = "optimise"
    REGRESSION = "regression"
    REVIEW = "review"
    """A dream that was tried and waits for a person."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One thing to do. Worth is in minutes of a maintainer's time; None: nobody can say yet."""

    kind: SuggestionKind
    target: str
    title: str
    evidence: tuple[str, ...]
    """What was measured, one fact a line."""
    command: str
    """What to run."""
    roi: Roi | None
    risk: RiskAdjusted | None
    chance: float | None = None
    """Of success, from what became of earlier dreams of this kind; in the benefit already."""
    raroi: float | None = None

    @property
    def rank(self) -> tuple[bool, float, str, str]:
        """Most worth first; what nobody can reckon last, by name."""
        return self.raroi is None, -(self.raroi or 0.0), str(self.kind), self.target
