"""What a workflow is like to run, over several runs."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepScore:
    """One step over all runs that came to it."""

    name: str
    runs: int
    success_rate: float
    wall_ms: float
    """Median."""
    cpu_seconds: float | None
    """Median; None where it was not measured."""
    peak_rss_bytes: int | None
    time_share: float
    """Share of the workflow's time that is spent here."""


@dataclass(frozen=True, slots=True)
class WorkflowScore:
    """A workflow over several runs."""

    runs: int
    success_rate: float
    wall_ms_p50: float
    wall_ms_p95: float
    cpu_seconds: float | None
    """Median of the runs that succeeded; None where it was not measured."""
    peak_rss_bytes: int | None
    throughput: float | None
    """Runs that succeed, per second of CPU time."""
    stability: float | None
    """1 / (1 + coefficient of variation of the time); None below two runs that succeeded."""
    steps: tuple[StepScore, ...]
    bottleneck: str | None
    """The step that takes the most time."""
    parts: Mapping[str, float]
    """What the composite is the mean of, each from 0 to 1."""
    composite: float
    """Share of runs that succeed, times the mean of the parts that there are."""
