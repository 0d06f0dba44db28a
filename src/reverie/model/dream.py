"""A dream: a change imagined for the repository, not yet proven."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from reverie.model.change import Change


class Stage(StrEnum):
    """How much of a repository a change may touch, and what it must show for that."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    INTEGRATION = "I"
    """Beside the four: tests of a module that nothing used, and its import in its package."""


class DreamKind(StrEnum):
    """What a dream would do to the repository."""

    TEST = "test"
    REFACTOR = "refactor"
    OPTIMISATION = "optimisation"
    INTEGRATION = "integration"
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
    def id(self) -> str:
        """The same change to the same text by the same dreamer is the same dream."""
        told = "\0".join((self.kind, self.dreamer, self.module, self.change.digest))
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
