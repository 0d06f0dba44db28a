"""What became of a workflow and of the variants that were made of it."""

from dataclasses import dataclass, field
from enum import StrEnum

from reverie.model.benchmark import Benchmark
from reverie.model.equivalence import Equivalence
from reverie.model.roi import Roi
from reverie.model.synergy import Interaction
from reverie.model.workflow import Step, Workflow


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
    def roi_minutes(self) -> float | None:
        """What it is worth; None when that was not measured."""
        return None if self.roi is None else self.roi.minutes


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
