"""The past of a callable: what it cost and how it was built, measure by measure."""

from dataclasses import dataclass
from datetime import datetime

from reverie.model.benchmark import Benchmark, Estimate


@dataclass(frozen=True, slots=True)
class CallableMeasure:
    """One look at a callable. An absent measure is None."""

    callable: str
    """`path:qualname`, from the repository on."""
    measured_at: datetime
    commit: str | None
    source_hash: str
    """Of its module: whether it is the same text."""
    size: int | None
    """Of the inputs that it was timed with."""
    cpu_seconds: float | None
    peak_bytes: int | None
    complexity: int
    cognitive: int
    lines: int
    isolation: str


@dataclass(frozen=True, slots=True)
class Regression:
    """A callable that got slower, and since when."""

    callable: str
    found_at: datetime
    base: str
    """The commit that it was compared with."""
    head: str
    slowdown: Estimate
    """Time of head over time of base, at the median."""
    commit: str | None
    """The first that is slower; None where several stay possible."""
    subject: str | None
    between: tuple[str, ...]
    """Commits that stay possible, oldest first."""
    tried: int
    """Commits that were timed on the way."""


@dataclass(frozen=True, slots=True)
class Tracked:
    """A look at a callable, compared with an earlier commit where there is one."""

    measure: CallableMeasure
    compared_with: str | None
    benchmark: Benchmark | None
    regression: Regression | None
    note: str | None = None
