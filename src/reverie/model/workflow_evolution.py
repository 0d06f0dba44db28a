"""Workflows over time: their scores, how alike two are, and what became of variants of them.

An `Interaction` is what two or more changes do together beyond what each does alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from reverie.model.measurements.benchmark import Benchmark, Estimate
from reverie.model.measurements.equivalence import Equivalence
from reverie.model.workflow import Step, Workflow
from reverie.model.worth import Roi


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


class EditKind(StrEnum):
    """How a variant differs from its workflow."""

    BATCH = "batch"
    """One call for all items, instead of one for each."""
    CACHE = "cache"
    """Items that are equal are computed once."""
    DROP = "drop"
    SWAP = "swap"
    """Another callable of the repository takes a step's place."""
    REORDER = "reorder"
    COMBINED = "combined"


@dataclass(frozen=True, slots=True)
class Edit:
    """Steps `start` up to `stop` give way to others."""

    kind: EditKind
    start: int
    stop: int
    steps: tuple[Step, ...]
    title: str

    def applied(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """The steps after the edit."""
        return (*steps[: self.start], *self.steps, *steps[self.stop :])


@dataclass(frozen=True, slots=True)
class Variant:
    """A workflow that should do the same in less time."""

    workflow: Workflow
    kind: EditKind
    title: str
    edits: tuple[Edit, ...]
    """One, or several that touch different steps."""


class VariantVerdict(StrEnum):
    """What was found out about a variant. Only `better` can be promoted."""

    BETTER = "better"
    DIFFERENT = "different"
    NO_GAIN = "no_gain"
    HOLD = "hold"
    """It could not be judged."""


@dataclass(frozen=True, slots=True)
class VariantTrial:
    """A variant, judged: the same results first, then paired times."""

    variant: Variant
    verdict: VariantVerdict
    reason: str
    equivalence: Equivalence | None = None
    compared_runs: int = 0
    """Runs on the workflow's own data that came to the same."""
    benchmark: Benchmark | None = None
    roi: Roi | None = None

    @property
    def roi_points(self) -> float | None:
        """What it is worth; None when that was not measured."""
        return None if self.roi is None else self.roi.points


class EvolutionStatus(StrEnum):
    """What evolving a workflow came to."""

    PROMOTED = "promoted"
    STABLE = "stable"
    """Left alone: what earlier attempts gained is not worth another one."""
    UNCHANGED = "unchanged"
    """No variant is better."""


@dataclass(frozen=True, slots=True)
class PastEvolution:
    """An earlier attempt, as far as the gate looks at it."""

    status: EvolutionStatus
    roi_delta: float
    source_hash: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", EvolutionStatus(self.status))


@dataclass(frozen=True, slots=True)
class Evolution:
    """One attempt to make a workflow better."""

    workflow: Workflow
    status: EvolutionStatus
    reason: str
    promoted: Workflow | None = None
    """The better one; under the same name, or as a branch under its own."""
    trials: tuple[VariantTrial, ...] = ()
    interactions: tuple[Interaction, ...] = field(default=())
    """What edits of different steps do together beyond what each does alone."""
    roi_delta: float = 0.0
    ema: float | None = None
    """Moving average of the gains so far, this one included."""
    is_branch: bool = False
    """Whether what was promoted stands beside the workflow: too different to take its place."""
