"""A dream: a change imagined for the repository, not yet proven; its moves and its tests.

A dream goes from status to status only by the moves that stand here. No others exist.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from reverie.errors import UsageError
from reverie.model.change import Change
from reverie.model.execution import FileChange, Usage
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome


class Stage(StrEnum):
    """How much of a repository a change may touch, and what it must show for that."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    INTEGRATION = "I"
    """Beside the four: tests of a module that nothing used, and its import in its package."""
    STUBS = "G"
    """Beside the four: a function that was declared with examples, written, with its tests."""

    @property
    def word(self) -> str:
        """What people call it."""
        return _WORDS[self]

    @classmethod
    def named(cls, text: str) -> "Stage | None":
        """The one that a person means, by its word or its letter; None: there is none."""
        plain = text.strip().lower()
        plural = {f"{word}s": stage for stage, word in _WORDS.items()}
        words = {word: stage for stage, word in _WORDS.items()} | plural
        return words.get(plain, next((each for each in cls if each.lower() == plain), None))


_WORDS = {
    Stage.A: "tests",
    Stage.B: "refactoring",
    Stage.C: "speed",
    Stage.D: "findings",
    Stage.INTEGRATION: "integration",
    Stage.STUBS: "stubs",
}


class DreamKind(StrEnum):
    """What a dream would do to the repository."""

    TEST = "test"
    REFACTOR = "refactor"
    OPTIMISATION = "optimisation"
    INTEGRATION = "integration"
    GENERATED = "generated"
    """A function that was declared, and not written."""
    PROCEDURE = "procedure"
    WORKFLOW = "workflow"
    FINDING = "finding"
    """For people to read: it can never be promoted."""

    @property
    def stage(self) -> Stage:
        """What a change of this kind has to go through, at the least."""
        return _STAGES.get(self, Stage.B)


_STAGES = {
    DreamKind.TEST: Stage.A,
    DreamKind.OPTIMISATION: Stage.C,
    DreamKind.INTEGRATION: Stage.INTEGRATION,
    DreamKind.GENERATED: Stage.STUBS,
    DreamKind.FINDING: Stage.D,
}
"""Every other kind changes code: stage B."""


class DreamStatus(StrEnum):
    """Where a dream stands."""

    PENDING_EVALUATION = "pending_evaluation"
    EVALUATED = "evaluated"
    PENDING_TEST = "pending_test"
    TESTED = "tested"
    PROMOTED = "promoted"
    BORDERLINE = "borderline"
    REJECTED = "rejected"
    ARCHIVED = "archived"
    ROLLED_BACK = "rolled_back"


AT_STAGE = "@"
"""Between the name of an author and the stage at which it dreams: `claude@A`."""


def author_of(dreamer: str) -> str:
    """The name of an author without its stage; a dreamer of the house is its own author."""
    return dreamer.partition(AT_STAGE)[0]


@dataclass(frozen=True, slots=True)
class Dream:
    """One change, who imagined it and what it is about."""

    kind: DreamKind
    dreamer: str
    module: str
    """The module it is about, by dotted name."""
    title: str
    """One line for people, in the imperative: it becomes the subject of a commit."""
    change: Change
    seed: int = 0

    @property
    def author(self) -> str:
        """Who came up with it: a dreamer of the house, or an author by name."""
        return author_of(self.dreamer)

    @property
    def is_by_author(self) -> bool:
        """Whether a model, an agent or a program wrote it: then nothing in it is taken on trust."""
        return AT_STAGE in self.dreamer

    @property
    def has_own_tests(self) -> bool:
        """Whether Reverie itself wrote the tests that are in it."""
        return self.kind in _WITH_TESTS and not self.is_by_author

    @property
    def id(self) -> str:
        """The same change to the same text by the same dreamer is the same dream."""
        told = "\0".join((self.kind, self.dreamer, self.module, self.change.digest))
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


_WITH_TESTS = (DreamKind.TEST, DreamKind.INTEGRATION, DreamKind.GENERATED)

MOVES: Mapping[DreamStatus, frozenset[DreamStatus]] = MappingProxyType(
    {
        DreamStatus.PENDING_EVALUATION: frozenset({DreamStatus.EVALUATED}),
        DreamStatus.EVALUATED: frozenset({DreamStatus.PENDING_TEST}),
        DreamStatus.PENDING_TEST: frozenset({DreamStatus.TESTED}),
        DreamStatus.TESTED: frozenset(
            {
                DreamStatus.PROMOTED,
                DreamStatus.BORDERLINE,
                DreamStatus.REJECTED,
                DreamStatus.ARCHIVED,
            }
        ),
        DreamStatus.PROMOTED: frozenset({DreamStatus.ROLLED_BACK}),
        DreamStatus.BORDERLINE: frozenset(),
        DreamStatus.REJECTED: frozenset(),
        DreamStatus.ARCHIVED: frozenset(),
        DreamStatus.ROLLED_BACK: frozenset(),
    }
)

EVALUABLE = (DreamStatus.PENDING_EVALUATION, DreamStatus.EVALUATED)
"""Where a dream may be evaluated, also once more."""


def check_move(before: DreamStatus, after: DreamStatus) -> None:
    """Raise `UsageError` when a dream cannot go from one status to the other; staying is free."""
    if after is before or after in MOVES[before]:
        return
    allowed = ", ".join(sorted(MOVES[before])) or "what it is"
    raise UsageError(f"a dream that is {before} cannot become {after}, only {allowed}")


DreamId = int | str


@dataclass(frozen=True, slots=True)
class DreamTestResult:
    """One execution of a dream. `output`, `error`, `stdout` and `stderr` are its own claims."""

    dream_id: DreamId
    test_outcome: TestOutcome
    error_category: ErrorCategory | None
    output: Any
    error: str | None
    traceback: str | None
    stdout: str
    stderr: str
    output_truncated: bool
    """Whether stdout or stderr is not all that was printed."""
    execution_time_ms: float
    isolation: IsolationTier
    input_params: Mapping[str, Any]
    entry: str | None
    """The function that was called; None when the code ran as a script."""
    expected_output_type: str | None
    failure_signature: str | None
    """Key of the failure's pattern; None for a success."""
    suggested_fix: str | None
    usage: Usage
    changes: tuple[FileChange, ...]
    execution_id: str
    timestamp: datetime

    @property
    def success(self) -> bool:
        """Whether the outcome is `success`."""
        return self.test_outcome is TestOutcome.SUCCESS
