"""What is recorded of a workflow or a module cycle by cycle, and what is expected of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reverie.model.codec import plain


class RiskLabel(StrEnum):
    """How the worth of a workflow or a module develops, in the order in which it is asked."""

    UNKNOWN = "Unknown"
    VOLATILE = "Volatile"
    IMMEDIATE = "Immediate collapse risk"
    SLOW_DECAY = "Slow decay"
    STABLE = "Stable"


@dataclass(frozen=True, slots=True)
class CycleMetrics:
    """One cycle of one workflow or module. What was not measured is None."""

    roi_delta: float | None = None
    raroi_delta: float | None = None
    confidence: float | None = None
    resilience: float | None = None
    entropy: float | None = None
    scenario_degradation: float | None = None
    stage: str | None = None
    stability: float | None = None

    def document(self) -> dict[str, Any]:
        """As it is stored: only what was measured."""
        return {name: value for name, value in plain(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Trend:
    """Slope per cycle by Theil and Sen with its 95 % interval, and how much it shakes."""

    slope: float | None
    low: float | None
    high: float | None
    volatility: float | None
    """Spread of the steps in units of the level's own spread."""
    n: int


@dataclass(frozen=True, slots=True)
class CollapseRisk:
    """Whether the worth of a workflow or a module is about to go."""

    risk: RiskLabel
    brittle: bool
    slope: float | None
    volatility: float | None
    collapse_in: int | None
    """Cycles until the worth is gone at this slope; None: it is not going."""
    confidence: float
    n: int


@dataclass(frozen=True, slots=True)
class Projection:
    """What is expected of one cycle to come, with the bounds that hold it in 80 and 95 of 100."""

    ahead: int
    value: float
    low80: float
    high80: float
    low95: float
    high95: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often the intervals held what then came, in the history itself."""

    share80: float
    share95: float
    n: int
    """Forecasts that could be checked."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The cycles to come."""

    model: str
    projections: tuple[Projection, ...]
    n: int
    """Cycles of its own that it rests on."""
    coverage: Coverage | None
    """None: too short a history to check."""
    error: float | None
    """Mean absolute error one cycle ahead, in the history itself."""
    borrowed: float = 0.0
    """Share taken from the curves of others, while there are few cycles."""
