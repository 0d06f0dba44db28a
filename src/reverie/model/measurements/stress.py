"""A workflow in a world that misbehaves: what is done to it, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

_NOTHING: Mapping[str, int] = MappingProxyType({})


class Severity(StrEnum):
    """How hard a scenario is."""

    LOW = "low"
    HIGH = "high"


class Survival(StrEnum):
    """What a scenario came to."""

    SURVIVED = "survived"
    FAILED = "failed"
    NOT_EXERCISED = "not exercised"
    """Its fault never fired, so nothing is known."""


@dataclass(frozen=True, slots=True)
class Preset:
    """The faults of one scenario. A part that is 0 (for shares of a need: 1) is left out."""

    scenario: str
    level: str
    latency_ms: float = 0.0
    jitter_ms: float = 0.0
    loss: float = 0.0
    """Share of the exchanges with an upstream that are never answered."""
    upstream_failures: float = 0.0
    """Share of the exchanges with an upstream that fail."""
    hostile: float = 0.0
    """Share of the calls that get a hostile value."""
    misuse: float = 0.0
    """Share of the calls that are made wrongly."""
    threads: int = 0
    tasks: int = 0
    schema_drift: float = 0.0
    """Share of the records of which a field is dropped, renamed or retyped."""
    cpu_quota: float = 1.0
    """Share of the time in which the workflow may run."""
    memory: float = 1.0
    """Share of the memory that the workflow needs without faults, besides a headroom."""
    is_mix: bool = False
    """Whether each call gets some of the faults, drawn by the seed, rather than all."""

    @property
    def name(self) -> str:
        """Scenario and level."""
        return f"{self.scenario}/{self.level}"


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """One scenario at one level: several runs of the workflow, each judged."""

    preset: Preset
    survival: Survival
    fired: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    """How often each fault really happened, as counted inside."""
    calls: int = 0
    passed: int = 0
    p95_seconds: float | None = None
    degradation: float | None = None
    """What was lost to the faults, from 0 to 1, in calls and in time; None when not exercised."""
    failure: str | None = None
    """What the first call that did not pass came to; the workflow's own words are its claim."""
    failed_step: str | None = None
    note: str | None = None

    @property
    def proof(self) -> int:
        """How often a fault fired."""
        return sum(self.fired.values())

    @property
    def pass_rate(self) -> float | None:
        """Share of the calls that passed."""
        return self.passed / self.calls if self.calls else None

    @property
    def resilience(self) -> float | None:
        """What is left: 1 without degradation."""
        return None if self.degradation is None else 1.0 - self.degradation


@dataclass(frozen=True, slots=True)
class StressReport:
    """One workflow under scenarios."""

    workflow: str
    calls: int
    """Runs of the workflow per scenario and level."""
    baseline_p95_seconds: float
    is_repeatable: bool
    """Whether two runs without faults return the same; only then results are compared."""
    results: tuple[ScenarioResult, ...]
    isolation: str
    seed: int
    seconds: float

    @property
    def survived(self) -> bool:
        """Whether no scenario failed and at least one was exercised."""
        found = {each.survival for each in self.results}
        return Survival.FAILED not in found and Survival.SURVIVED in found

    @property
    def missing(self) -> tuple[str, ...]:
        """Scenarios that were exercised at no level."""
        names = dict.fromkeys(each.preset.scenario for each in self.results)
        known = {
            each.preset.scenario
            for each in self.results
            if each.survival is not Survival.NOT_EXERCISED
        }
        return tuple(name for name in names if name not in known)


@dataclass(frozen=True, slots=True)
class StageMetrics:
    """One stage of a trajectory."""

    stage: str
    survival: Survival
    roi: float | None
    """Minutes that a run is worth here; None when the stage was not exercised."""
    roi_drop: float | None
    """How far that is below the first stage."""
    resilience: float | None
    degradation: float | None
    stability: float | None
    """1 / (1 + coefficient of variation) of the stages so far, at most the last three."""
    fired: Mapping[str, int] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A workflow through worse and worse worlds."""

    workflow: str
    level: str
    stages: tuple[StageMetrics, ...]
    seconds: float
