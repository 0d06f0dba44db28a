"""Old and new compared: behaviour on calls, equivalence with its counterexample, and canaries."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from reverie.model.outcome import ErrorCategory, TestOutcome

CUT_OFF = (TestOutcome.TIMEOUT, TestOutcome.RESOURCE_EXHAUSTION)
"""Outcomes that a limit brought about: they say nothing about what would have come."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A function to look at: source that stands on its own, and where it imports from."""

    code: str
    entry: str
    import_roots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """One call of one function. All but the outcome is the code's own claim."""

    outcome: TestOutcome
    value: str
    """Canonical text of the result; the class of the error when it raised."""
    arguments: tuple[str, ...] = ()
    """The arguments after the call."""
    stdout: str = ""
    steps: int | None = None
    """Lines of the function's own source that ran; None when nobody counted."""
    cpu_seconds: float | None = None
    wall_seconds: float | None = None
    category: ErrorCategory | None = None
    error: str | None = None
    signature: str | None = None
    type_name: str | None = None
    plain: Any = None
    """The result as JSON, where JSON can hold it."""
    is_plain: bool = False
    duration_ms: float = 0.0
    """Wall time of the execution, as the sandbox saw it."""
    is_made: bool = True
    """Whether the arguments could be made at all."""

    @property
    def succeeded(self) -> bool:
        """Whether it returned."""
        return self.outcome is TestOutcome.SUCCESS

    @property
    def behaviour(self) -> tuple[str, ...]:
        """What two functions have to share to have done the same."""
        how = "returned" if self.succeeded else "raised"
        return (how, self.value, self.stdout, *self.arguments)

    @property
    def is_conclusive(self) -> bool:
        """Whether it says anything: a call that was not made, or was cut off, does not."""
        return self.is_made and self.outcome not in CUT_OFF


class EquivalenceVerdict(StrEnum):
    """The answer about two versions."""

    EQUIVALENT = "equivalent"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


class DifferenceKind(StrEnum):
    """What differs first, in the order in which it is looked for."""

    LOADING = "loading"  # one version cannot be imported
    TERMINATION = "termination"  # one version does not come to an end
    MEMORY = "memory"  # the new version runs out of memory where the old one needs next to none
    EXCEPTION = "exception"  # one raises, or both raise different types
    VALUE = "value"  # what is returned, with its types, order and iterator contents
    ARGUMENTS = "arguments"  # what is left in the arguments
    STDOUT = "stdout"
    STDERR = "stderr"
    EFFECTS = "effects"  # order of calls of callbacks, of output and of changes to files
    FILES = "files"  # files, environment and working folder afterwards
    GLOBALS = "globals"  # public data of the module afterwards
    ALIASING = "aliasing"  # whether the result shares parts with arguments or earlier results
    THREADS = "threads"  # what another call in between does to the result
    MACHINE = "machine"  # they are alike on one machine and part on another


@dataclass(frozen=True, slots=True)
class Observation:
    """What one version did on one call, as canonical text. The code under test claims it."""

    KEYS = "outcome value message=words arguments aliases stdout stderr effects files globals"

    outcome: str
    value: str = ""
    message: str = ""
    is_misfit: bool = False
    """It failed because the arguments have a shape that the function is not made for."""
    is_deliberate: bool = False
    """It raised on purpose: by a `raise` or an `assert` of its own."""
    arguments: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    stdout: str = ""
    stderr: str = ""
    effects: tuple[tuple[str, str], ...] = ()
    files: str = ""
    globals: str = ""
    seconds: float = 0.0

    @property
    def words(self) -> str | None:
        """The message, where there is one."""
        return self.message or None


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest call found on which the versions differ, confirmed by fresh processes."""

    expression: str
    """Evaluated in the namespace of either version, it shows the difference."""
    kind: DifferenceKind
    old: Observation
    new: Observation
    repro: str
    """A script that shows both behaviours: `python repro.py OLD NEW`."""


@dataclass(frozen=True, slots=True)
class BranchCoverage:
    """Shares of the branches that the callable can reach in its module; None: never run."""

    old: float | None = None
    new: float | None = None


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant of the changed code that no input told from the original."""

    version: str
    """`old` or `new`."""
    line: int
    operator: str
    code: str
    """What stands there, and what stands there instead."""


@dataclass(frozen=True, slots=True)
class Adequacy:
    """How much of the changed code the inputs would have noticed a change of."""

    KEYS = "mutants noticed idle share:4 survivors"

    mutants: int
    noticed: int
    idle: int = 0
    """They made a difference to their own statement again and again, and to nothing else."""
    survivors: tuple[Survivor, ...] = ()
    """Neither noticed nor idle."""
    untried: Survivor | None = None
    """The change itself, where no input made a difference to the place that was changed."""

    @property
    def share(self) -> float:
        """Of the mutants that could be noticed, those that were."""
        counted = self.mutants - self.idle
        return self.noticed / counted if counted > 0 else 1.0

    def is_enough(self, least: float) -> bool:
        """Whether so many would have been noticed, and the change itself was put to the test."""
        return self.share >= least and self.untried is None


@dataclass(frozen=True, slots=True)
class Proof:
    """That two versions take the same steps, and what had to be known to see it."""

    laws: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Equivalence:
    """The verdict with what it rests on."""

    KEYS = "verdict inputs branch_coverage counterexample reason adequacy novelty seed proof"

    verdict: EquivalenceVerdict
    inputs: int
    branch_coverage: BranchCoverage = field(default_factory=BranchCoverage)
    counterexample: Counterexample | None = None
    reason: str | None = None
    adequacy: Adequacy | None = None
    """None where the search did not come to that question."""
    seed: int | None = None
    """With it the same inputs are tried again."""
    novelty: float | None = None
    """Estimated share of further inputs that would show behaviour not seen so far."""
    laws: tuple[str, ...] | None = None
    """What shows, without any input, that both take the same steps; None: it was searched."""
    wants_inputs: bool = False
    """It is unknown for want of inputs alone: nothing that was seen speaks against it."""

    @property
    def proof(self) -> Proof | None:
        """What stands in for inputs, where both take the same steps."""
        return None if self.laws is None else Proof(self.laws)


SAME_PROGRAM = "the same program"
"""What is said of a file in which, once it is read, only layout, words and types differ."""


def proven_equivalent(laws: tuple[str, ...]) -> Equivalence:
    """Of two versions that take the same steps on the same values."""
    return Equivalence(EquivalenceVerdict.EQUIVALENT, inputs=0, laws=laws)


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
