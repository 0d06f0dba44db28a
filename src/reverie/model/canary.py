"""Old and new side by side: what was planned, what was seen, and what became of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class CanaryState(StrEnum):
    """Where a canary stands."""

    RUNNING = "running"
    STOPPING = "stopping"
    """A person asked for its end; it ends after the batch at hand."""
    PASSED = "passed"
    FAILED = "failed"
    STOPPED = "stopped"
    INCONCLUSIVE = "inconclusive"
    """The time was over before enough calls were compared."""


@dataclass(frozen=True, slots=True)
class CanaryPlan:
    """How much of the traffic both versions see, for how long, and what is too much."""

    share: float = 0.05
    calls: int = 1000
    """Calls that have to be compared before it has passed."""
    seconds: float = 60.0
    slower: float = 1.25
    """A new version that takes this many times as long has failed."""


@dataclass(frozen=True, slots=True)
class CanaryFigures:
    """What was seen so far. Times are CPU milliseconds of one call."""

    traffic: int = 0
    compared: int = 0
    differences: int = 0
    new_errors: int = 0
    """Calls on which only the new version raised."""
    p50_old_ms: float | None = None
    p50_new_ms: float | None = None
    p95_old_ms: float | None = None
    p95_new_ms: float | None = None
    slower_share: float | None = None
    """Share of the calls that the new version was slower on."""
    example: str | None = None
    """The first call on which they part, as source."""


@dataclass(frozen=True, slots=True)
class Canary:
    """One trial of a new version beside the old one."""

    KEYS = "id old new dream_id state plan.share started_at ended_at figures reason"

    id: str
    old: str
    new: str
    dream_id: str | None
    plan: CanaryPlan
    state: CanaryState
    started_at: datetime
    ended_at: datetime | None = None
    figures: CanaryFigures = CanaryFigures()
    reason: str | None = None
