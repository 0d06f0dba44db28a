"""One cycle over a repository: what was wished for, planned, promoted, and what became of it.

From a proven dream to a branch: what is promoted and on what proof; and what a person did about
a dream by hand, under their signature.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from reverie.model.dream import Dream, DreamKind, DreamStatus, Stage
from reverie.model.ruling import Evidence, Judgement

_NO_FILES: Mapping[str, str] = MappingProxyType({})


class PromotionStatus(StrEnum):
    """Where a promotion stands."""

    OFFERED = "offered"
    """On a branch of its own, or written as a patch; nobody has taken it yet."""
    MERGED = "merged"
    """Another branch has it."""
    ROLLED_BACK = "rolled_back"


@dataclass(frozen=True, slots=True)
class Source:
    """The code that a proof is about."""

    revision: str | None
    """The commit; None before the first one, and where there is no git."""
    tree: str | None
    """What git calls the whole tree; None where there is no git."""
    files: Mapping[str, str] = field(default_factory=lambda: _NO_FILES)
    """sha256 of every file that the trial used, by path."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A dream with all that is known for it: what a promotion and its proof bundle are made of."""

    dream: Dream
    stage: Stage
    source: Source
    evidence: Evidence
    judgement: Judgement
    roi: float | None = None
    raroi: float | None = None
    warnings: tuple[str, ...] = ()
    """What spoke against trying anything, and was overruled by a person."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """One dream, offered."""

    dream_id: str
    kind: DreamKind
    title: str
    status: PromotionStatus
    created_at: datetime
    branch: str | None = None
    """Without `refs/heads/`; None where there is no git, and once the branch is gone."""
    commit: str | None = None
    base: str | None = None
    """The commit that the branch was started from; None for the first commit of all."""
    patch: str | None = None
    """The file, where the change was written instead of committed."""
    bundle: str | None = None
    """The folder of its proof bundle."""
    roi: float | None = None
    raroi: float | None = None


@dataclass(frozen=True, slots=True)
class Rollback:
    """How a promotion was taken back."""

    dream_id: str
    branch: str | None
    """The branch that was removed, or that carries the commit which reverts it."""
    commit: str | None
    """The commit that reverts it; None when the branch was removed instead."""
    created_at: datetime


class DeedKind(StrEnum):
    """What was done."""

    REJECTION = "rejection"
    ROLLBACK = "rollback"


@dataclass(frozen=True, slots=True)
class Deed:
    """One person's word, signed."""

    kind: DeedKind
    dream_id: str
    name: str
    keyid: str
    """Fingerprint of the key that signed."""
    why: str
    envelope: str
    """What was signed, in its envelope."""
    created_at: datetime


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class CycleState(StrEnum):
    """Where a cycle stands. One that was killed stays `running` until somebody recovers it."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    """Ended by the person at the keyboard: what was proven by then counts."""
    FAILED = "failed"


class StepState(StrEnum):
    """Where one step of a plan stands."""

    PLANNED = "planned"
    DREAMT = "dreamt"
    """Its dreams are known; they are tried, ruled on and promoted one after another."""
    DONE = "done"
    SKIPPED = "skipped"
    """Nothing to do: the same source was dreamt about before, or the budget was spent."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CycleBudget:
    """What a cycle may spend. None: that much does not matter."""

    seconds: float | None = None
    executions: int | None = None
    dreams: int | None = None


@dataclass(frozen=True, slots=True)
class CycleWishes:
    """What one cycle was asked for.

    The same wishes on the same source give the same verdicts when the budget is in executions.
    """

    budget: CycleBudget
    seed: int = 0
    stage: Stage | None = Stage.A
    """None: every stage, one after another."""
    python: str | None = None
    is_fresh: bool = False
    """Whether modules are dreamt about again that were, on the same source."""


@dataclass(frozen=True, slots=True)
class Earned:
    """What a stage has come to in a repository so far, and what it took."""

    changes: int = 0
    """Promoted, or proven and waiting for somebody's word."""
    seconds: float = 0.0
    money: float = 0.0
    """That an author was paid, where prices are known."""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class CycleHeader:
    """One cycle, without what happened in it."""

    id: str
    repository: str
    started_at: datetime
    state: CycleState
    wishes: CycleWishes
    ended_at: datetime | None = None
    revision: str | None = None
    """The commit that everything is proven against; None where there is no git."""
    branch: str | None = None
    environment: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    baseline: Mapping[str, Any] | None = None
    """What the repository was worth before; None until it was measured."""
    result: Mapping[str, Any] | None = None
    """What it is worth with all promotions together; None when nothing was promoted."""
    seconds: float = 0.0
    executions: int = 0
    """In the sandbox so far, over every process that worked on it."""
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One dreamer let loose on one module: what a plan is made of, and what recovery goes by."""

    position: int
    dreamer: str
    module: str
    path: str
    source_hash: str
    value: float | None = None
    """What a success there is expected to be worth, as the ranking has it."""
    allowance: CycleBudget = field(default_factory=CycleBudget)
    state: StepState = StepState.PLANNED
    note: str | None = None
    error: str | None = None
    """The traceback, when our side failed."""
    seconds: float = 0.0
    executions: int = 0
    figures: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    content_hash: str = ""
    """Of the module's own source: what its completion goes by. Empty where nobody told it."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Behaviour that looks like a fault: for a person to judge, never frozen into a test."""

    module: str
    title: str
    details: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """Input, what happened, why it is suspicious, how to see it again."""

    @property
    def signature(self) -> str:
        """Its id: the same in every cycle that sees the same behaviour of the same module."""
        given = self.details.get("signature")
        if isinstance(given, str) and given:
            return given
        text = f"{self.module}\0{self.title}".encode("utf-8", "backslashreplace")
        return hashlib.sha256(text).hexdigest()[:16]

    @property
    def function(self) -> str | None:
        """The callable that it is about, as `module:name`; None where it is about none."""
        name = self.details.get("function")
        return f"{self.module}:{name}" if isinstance(name, str) and name else None

    @property
    def behaviour(self) -> str:
        """What is seen, whoever saw it: a call that shows the same to two instruments is one."""
        given, actual = self.details.get("input"), self.details.get("actual")
        if not given or not actual:
            return self.signature
        call = str(given).rpartition("\n")[2].removeprefix("result = ").strip()
        return "\0".join((self.function or self.module, call, str(actual)))

    @property
    def names(self) -> tuple[str, ...]:
        """What people can have said something of: this finding, and then its whole function."""
        before = self.details.get("formerly")
        known = (self.signature, before if isinstance(before, str) else None, self.function)
        return tuple(filter(None, known))


@dataclass(frozen=True, slots=True)
class Trial:
    """One controlled comparison of a dream with the baseline, and what was ruled on it."""

    evidence: Evidence
    judgement: Judgement
    score: Mapping[str, Any]
    """`roi`, `raroi` and the parts they are made of."""
    seconds: float
    executions: int


@dataclass(frozen=True, slots=True)
class CycleDream:
    """A dream as one cycle knows it."""

    dream: Dream
    position: int
    """Of its step."""
    source_hash: str
    status: DreamStatus
    known_from: str | None = None
    """The earlier cycle that had decided on it already."""
    trial: Trial | None = None
    promotion: Promotion | None = None

    @property
    def is_taken_back(self) -> bool:
        """Whether it was promoted, and is no more."""
        return self.promotion is not None and self.promotion.status is PromotionStatus.ROLLED_BACK


@dataclass(frozen=True, slots=True)
class CycleRecord:
    """A cycle with everything that happened in it."""

    header: CycleHeader
    steps: tuple[Step, ...]
    dreams: tuple[CycleDream, ...]
    sightings: tuple[Sighting, ...]

    @property
    def promotions(self) -> tuple[CycleDream, ...]:
        """The dreams that came true and were not taken back, in the order in which they did."""
        return tuple(each for each in self.ever_promoted if not each.is_taken_back)

    @property
    def ever_promoted(self) -> tuple[CycleDream, ...]:
        """The same, with those that were taken back."""
        found = [
            (each.promotion.created_at, each.dream.id, each)
            for each in self.dreams
            if each.promotion is not None
        ]
        return tuple(each for _, _, each in sorted(found, key=lambda key: key[:2]))
