"""Foresight and governance: what is expected of a workflow or module, and what is decided on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
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


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class ReasonCode(StrEnum):
    """Why a promotion is not safe."""

    PROJECTED_ROI = "projected_roi_below_threshold"
    LOW_CONFIDENCE = "low_confidence"
    COLLAPSE = "roi_collapse_risk"
    IMPACT = "negative_dag_impact"
    UNKNOWN = "unknown"


class DeploymentVerdict(StrEnum):
    """What is to be done, worst last."""

    PROMOTE = "promote"
    PILOT = "pilot"
    BORDERLINE = "borderline"
    HOLD = "hold"
    DEMOTE = "demote"

    @property
    def severity(self) -> int:
        """Position in the order above."""
        return list(DeploymentVerdict).index(self)


class MicropilotMode(StrEnum):
    """What is done with candidates on the border."""

    AUTO = "auto"
    """Queue, and run a pilot at once."""
    QUEUE = "queue"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Override:
    """A person's word against a decision, whose signature was checked, until it expires."""

    subject: str
    verdict: DeploymentVerdict
    name: str
    why: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be done, every reason, and the figures it rests on."""

    verdict: DeploymentVerdict
    reason_codes: tuple[str, ...]
    figures: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    overridden_by: str | None = None
