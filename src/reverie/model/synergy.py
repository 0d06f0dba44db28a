"""What two or more changes do together beyond what each does alone."""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.benchmark import Estimate

METRICS = (
    "roi", "coverage", "mutation", "latency", "memory", "resilience", "maintainability",
    "throughput",
)  # fmt: skip


class SynergyKind(StrEnum):
    """What an interaction is, by the interval of its effect."""

    CONFLICTING = "conflicting"
    ADDITIVE = "additive"
    REINFORCING = "reinforcing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Interaction:
    """The effect of two changes together less that of each alone, against one baseline."""

    first: str
    second: str
    metric: str
    effect: Estimate | None
    """None: too few repetitions to say."""
    kind: SynergyKind
    n: int
    """Repetitions of the least repeated of the three."""
