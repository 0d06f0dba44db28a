"""A dream of a procedure: a function imagined beside one that exists, and what is known of it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

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
