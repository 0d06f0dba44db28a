"""The alignment flagger on any commit or range, wired to git."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import UsageError

if TYPE_CHECKING:
    from reverie.model.alignment import AlignmentReport
    from reverie.settings import Settings


@dataclass(frozen=True, slots=True)
class Flagged:
    """A change between two commits, and its flags."""

    base: str | None
    """None for the first commit of a history."""
    head: str
    report: AlignmentReport


def flag_revision(repository: Path, given: str, settings: Settings) -> Flagged:
    """Of a commit against its first parent, or of a range `A..B`."""
    from reverie.gates.alignment.flagger import HumanAlignmentFlagger
    from reverie.promotion.comparison import change_between
    from reverie.promotion.git import Git

    git = Git.find(repository)
    if git is None:
        raise UsageError(f"{str(repository)!r} is no git repository: there is no {given!r}")
    if "..." in given:
        raise UsageError(f"expected REV or A..B, not {given!r}")
    start, dots, end = given.partition("..")
    if dots:
        base: str | None = git.resolve(start or "HEAD")
        head = git.resolve(end or "HEAD")
    else:
        head = git.resolve(given)
        base = git.find_commit(f"{head}^")
    flagger = HumanAlignmentFlagger(settings.alignment, settings.guard)
    return Flagged(base, head, flagger.flag(change_between(git, base, head)))
