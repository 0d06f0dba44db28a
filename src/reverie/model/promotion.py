"""From a proven dream to a branch: what is promoted, on what proof, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.evidence import Evidence
from reverie.model.ruling import Judgement

_NOTHING: Mapping[str, str] = MappingProxyType({})


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
    files: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
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
