"""What a dream is worth: both sides in minutes of a maintainer's time, every part shown."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class RoiPart:
    """One reason why a dream is worth something, or costs something."""

    name: str
    quantity: float
    minutes_each: float
    weight: float = 1.0
    """Learned from outcomes; 1 as long as nothing was."""

    @property
    def minutes(self) -> float:
        """What it comes to."""
        return self.quantity * self.minutes_each * self.weight


@dataclass(frozen=True, slots=True)
class Roi:
    """Benefit and cost by their parts. A part that nobody measured is not among them."""

    benefit: tuple[RoiPart, ...]
    cost: tuple[RoiPart, ...]

    @property
    def benefit_minutes(self) -> float:
        """All benefits together."""
        return sum(part.minutes for part in self.benefit)

    @property
    def cost_minutes(self) -> float:
        """All costs together."""
        return sum(part.minutes for part in self.cost)

    @property
    def minutes(self) -> float | None:
        """Benefit less cost; None when no benefit was measured at all."""
        return self.benefit_minutes - self.cost_minutes if self.benefit else None

    @property
    def ratio(self) -> float | None:
        """Benefit over cost; None without a benefit, or without a cost."""
        if not self.benefit or self.cost_minutes <= 0:
            return None
        return self.benefit_minutes / self.cost_minutes


class Severity(StrEnum):
    """How much a rollback in a module would hurt."""

    LOW = "low"
    EXPERIMENTAL = "experimental"
    STANDARD = "standard"
    CRITICAL = "critical"

    @property
    def weight(self) -> float:
        """Its share of the damage."""
        return {"low": 0.1, "experimental": 0.2, "standard": 0.5, "critical": 0.9}[self.value]


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What became of earlier changes: how many were taken back or mended, and how many kept."""

    bad: int = 0
    kept: int = 0

    def __add__(self, other: "TrackRecord") -> "TrackRecord":
        return TrackRecord(self.bad + other.bad, self.kept + other.kept)


@dataclass(frozen=True, slots=True)
class Risk:
    """What could go wrong with a dream, and what has gone wrong in its files before."""

    rolled_back: int = 0
    """Reverts, hot-fixes and rollbacks in the history of its files."""
    kept: int = 0
    """Commits and promotions there that were kept."""
    severity: Severity = Severity.STANDARD
    variation: float = 0.0
    """Coefficient of variation of the repeated trials."""
    failed_suites: int = 0
    """Safety suites that failed: alignment, security, hostile input, misuse."""


@dataclass(frozen=True, slots=True)
class RiskAdjusted:
    """ROI after risk, with the factors it was made from."""

    minutes: float
    base_minutes: float
    rollback_probability: float
    severity: float
    stability: float
    safety: float
