"""A dream of a procedure: a function imagined beside another, and what evaluators say of it.

An evaluator answers with one JSON object, read strictly:

    {"dream_id": 7, "viability": 0.82, "tier": 1, "reasoning": "Same results, one pass less."}

The reply is that object and nothing else, bare or in one code fence. `tier` is its number or its
word, and has to be the one that the viability falls into. A reply is somebody else's text: whatever
does not validate is refused whole, with the reason, and what `reasoning` says is never obeyed.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Literal, NoReturn

from reverie.errors import UsageError
from reverie.model.codec import Like, Malformed, Within, parse, read
from reverie.model.dream import DreamStatus
from reverie.model.outcome import ErrorCategory, TestOutcome

VIABLE_FROM = 0.6
SPECULATIVE_FROM = 0.3
HIGH_NOVELTY = 0.7
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class DreamType(StrEnum):
    """How a procedure was imagined."""

    PARAMETER_EXPLORATION = "parameter_exploration"
    CONSTRAINT_RELAXATION = "constraint_relaxation"
    CONDITIONAL_VARIANT = "conditional_variant"
    CROSS_PROJECT_SYNTHESIS = "cross_project_synthesis"
    GENERATED = "generated"
    """From a specification."""
    CONTRIBUTED = "contributed"
    """By a person, a model or an agent."""


class DreamTier(StrEnum):
    """How likely an evaluation holds a dream to work."""

    VIABLE = "viable"
    SPECULATIVE = "speculative"
    ARCHIVE = "archive"

    @property
    def number(self) -> int:
        """1, 2 or 3."""
        return list(DreamTier).index(self) + 1

    @classmethod
    def of(cls, viability: float) -> "DreamTier":
        """The tier of a viability in [0, 1]."""
        if viability >= VIABLE_FROM:
            return cls.VIABLE
        return cls.SPECULATIVE if viability >= SPECULATIVE_FROM else cls.ARCHIVE


@dataclass(frozen=True, slots=True)
class DreamProcedure:
    """One procedure that was imagined. What is not known of it yet is None."""

    code: str
    """Source that stands on its own: the procedure and all of its module that it needs."""
    entry: str
    """The function of `code` that is the procedure."""
    dream_type: DreamType
    dreamer: str
    """Which rule of which dreamer made it, `dreamer/rule`; learning goes by it."""
    title: str
    """One line for people: what is different."""
    base_procedure: str | None = None
    """`module:function` that it is a variant of."""
    base_code: str | None = None
    """The base, as source that stands on its own."""
    repository: str | None = None
    import_roots: tuple[str, ...] = ()
    """Folders that `code` imports from."""
    details: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """What exactly was changed, as the dreamer tells it."""
    run_id: int | None = None
    """The generation run that made it."""
    novelty_score: float | None = None
    cross_project_matches: int | None = None
    """Other indexed repositories in which it passes the same trial; None: nobody looked."""
    status: DreamStatus = DreamStatus.PENDING_EVALUATION
    viability_score: float | None = None
    tier: DreamTier | None = None
    reasoning: str | None = None
    evaluator: str | None = None
    evaluated_at: datetime | None = None
    test_outcome: TestOutcome | None = None
    """`success`, or the outcome that cost it the test."""
    test_error: str | None = None
    test_timestamp: datetime | None = None
    effectiveness: float | None = None
    """The share of inputs on which it did at least as well as its base."""
    created_at: datetime | None = None
    id: int | None = None
    """Its number in the journal; None until it is stored."""

    @property
    def digest(self) -> str:
        """The same code for the same base is the same dream, whoever imagined it."""
        told = "\0".join((self.repository or "", self.base_procedure or "", self.entry, self.code))
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def is_variant(self) -> bool:
        """Whether there is a base to compare it with."""
        return self.base_code is not None


@dataclass(frozen=True, slots=True)
class GenerationRun:
    """One time that dreamers were let loose: what they made, and what was left of it."""

    started_at: datetime
    strategy: str
    seed: int
    repository: str | None = None
    seconds: float = 0.0
    made: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    """Variants written, by dream type."""
    stored: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    """Variants that were told apart from their base and siblings, by dream type."""
    dropped: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    """Variants that were not stored, by reason."""
    record: Mapping[str, tuple[int, int]] = field(default_factory=lambda: _NOTHING)
    """Of every `dreamer/rule`: variants that did what their base does on usual calls, and
    variants that were looked at."""
    id: int | None = None


@dataclass(frozen=True, slots=True)
class FailureShare:
    """One failure of one dream's test, and how many inputs met it."""

    signature: str
    category: ErrorCategory
    message: str
    inputs: int


@dataclass(frozen=True, slots=True)
class ProcedureTest:
    """One test of one dream: every input, on the dream and on its base."""

    dream_id: int
    tested_at: datetime
    outcome: TestOutcome
    inputs: int
    succeeded: int
    """Inputs that the dream returned a fitting value for."""
    same: int = 0
    """Inputs on which dream and base did the same, failures included."""
    different: int = 0
    """Inputs on which both returned, and not the same."""
    more_robust: int = 0
    """Inputs that only the dream got by with."""
    less_robust: int = 0
    """Inputs that only the base got by with."""
    speedup: float | None = None
    """Cost of the base over cost of the dream; None where they never did the same."""
    effectiveness: float | None = None
    seconds: float = 0.0
    error: str | None = None
    failures: tuple[FailureShare, ...] = ()
    id: int | None = None

    @property
    def passed(self) -> bool:
        """Whether the dream passed."""
        return self.outcome is TestOutcome.SUCCESS


@dataclass(frozen=True, slots=True)
class DreamMetrics:
    """The figures of the dream journal at one moment. What has no data is None."""

    measured_at: datetime
    total: int
    by_tier: Mapping[str, int]
    mean_novelty: float | None
    high_novelty: int
    mean_viability: float | None
    tier1_test_success_rate: float | None
    tier1_test_count: int
    matched_tier1: int | None
    """Tier-1 dreams that work in at least two other repositories; None: nobody looked."""
    mean_run_seconds: float | None
    parts: Mapping[str, float | None]
    """`novelty`, `quality`, `leverage` and `efficiency`."""
    compound_health_score: float | None
    left_out: tuple[str, ...] = ()
    """Parts without data, which the weights were renormalised without."""

    @property
    def is_healthy(self) -> bool | None:
        """Whether health is above the bar; None when it cannot be told."""
        score = self.compound_health_score
        return None if score is None else score > HEALTHY_ABOVE


HEALTHY_ABOVE = 0.6


@dataclass(frozen=True, slots=True)
class Tightening:
    """A constraint put on a dreamer's rule because of what its dreams did; it can be lifted."""

    dreamer: str
    share: float
    """Of its usual number of variants; never below the floor."""
    constraint: str
    """What generation has to keep to, by name; empty when only the share was lowered."""
    evidence: Mapping[str, Any]
    created_at: datetime
    lifted_at: datetime | None = None
    id: int | None = None

    @property
    def is_in_force(self) -> bool:
        """Whether nobody lifted it."""
        return self.lifted_at is None


REPLY_CHARACTERS = 64 * 1024
REASONING_CHARACTERS = 4000
_LARGEST_ID = (1 << 63) - 1
_FENCE = re.compile(r"```(?:json)?[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL | re.IGNORECASE)
_SAYS_SOMETHING = Like(re.compile(r"(?=.*\S)[^\x00\ud800-\udfff]*", re.DOTALL), "a text of words")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An opinion about one dream. It decides what is tested, never what is promoted."""

    dream_id: int
    viability: float
    tier: DreamTier
    reasoning: str


@dataclass(frozen=True, slots=True)
class _Reply:
    """An evaluation as an evaluator writes it."""

    dream_id: Annotated[int, Within(1, _LARGEST_ID)]
    viability: Annotated[float, Within(0, 1)]
    tier: Literal[1, 2, 3, "viable", "speculative", "archive"]
    reasoning: Annotated[str, _SAYS_SOMETHING, Within(1, REASONING_CHARACTERS)]


def read_evaluation(reply: str, dream_id: int | None = None) -> Evaluation:
    """The evaluation that a reply is; `UsageError` with the reason when it is none.

    With `dream_id` it has to be about that dream.
    """
    try:
        told = read(_Reply, _document(reply))
    except Malformed as error:
        _refuse(str(error))
    if dream_id is not None and told.dream_id != dream_id:
        _refuse(f"dream_id must be {dream_id}, the dream asked about, not {told.dream_id}")
    due = DreamTier.of(told.viability)
    if told.tier not in (due.number, due.value):
        contradicted = f"viability {told.viability}, which is tier {due.number}"
        _refuse(f"tier {told.tier} contradicts {contradicted}")
    return Evaluation(told.dream_id, float(told.viability), due, told.reasoning)


def _document(reply: str) -> Any:
    if len(reply) > REPLY_CHARACTERS:
        _refuse(f"the reply has {len(reply)} characters, more than {REPLY_CHARACTERS}")
    text = reply.strip()
    if not text:
        _refuse("the reply is empty")
    fenced = _FENCE.fullmatch(text)
    return parse(text if fenced is None else fenced.group(1))


def _refuse(reason: str) -> NoReturn:
    raise UsageError(f"not an evaluation: {reason}")
