"""A repository as git and the journal know it, wired: branch, modules, commits, old branches.

The past is read once per commit: a page asks again and again, and the past of a commit does not
change. A checkout that was moved or copied keeps its past. Branches of ours go when they have
nothing left to offer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import GitFailed, ReverieError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reverie.model.change import Change
    from reverie.model.dream import Dream
    from reverie.model.repository.candidate import History, ModuleHistory
    from reverie.model.repository.quality import AlignmentReport
    from reverie.model.settings.analysis import CandidatesSection
    from reverie.model.worth import Past, Settled
    from reverie.promotion.branches import BranchPruner, Removed
    from reverie.settings import Loaded, Settings
    from reverie.stages.grounds import Grounds
    from reverie.store import Journal
    from reverie.store.browsing.dreams import DreamLine

COMMITS = 20_000
"""Commits of a branch that are known by name."""


@dataclass(frozen=True, slots=True)
class Mainline:
    """The branch that is checked out: its name, its newest commit, and those behind it."""

    branch: str | None
    head: str | None
    commits: frozenset[str]

    def holds(self, commit: str | None) -> bool:
        """Whether a commit is part of it."""
        return commit is not None and commit in self.commits


def mainline_of(repository: Path) -> Mainline:
    """The branch that is checked out; without git, or before the first commit, an empty one."""
    from reverie.promotion.git import Git

    git = Git.find(repository)
    head = None if git is None else git.find_commit("HEAD")
    if git is None or head is None:
        return Mainline(None, None, frozenset())
    try:
        named = git.run("symbolic-ref", "--quiet", "--short", "HEAD").decode("utf-8", "replace")
    except GitFailed:  # a commit is checked out, and no branch
        named = ""
    return Mainline(named.strip() or None, head, _behind(repository, head))


def is_made(repository: Path, change: Change) -> bool:
    """Whether the files have a change already, as `git apply` leaves it."""

    def text_of(path: str) -> str | None:
        try:
            return (repository / path).read_bytes().decode("utf-8", "surrogateescape")
        except OSError:
            return None

    return all(edit.is_made_in(text_of(edit.path)) for edit in change.edits)


def still_waiting(
    journal: Journal, repository: Path, lines: Iterable[DreamLine]
) -> tuple[DreamLine, ...]:
    """Of changes that wait for a person those that nobody has taken by hand."""
    from reverie.store.browsing.dreams import load_dream

    return tuple(
        line
        for line in lines
        if not is_made(
            repository, load_dream(journal, repository, line.cycle_id, line.id)[1].dream.change
        )
    )


def changes_of_modules(
    repository: Path, head: str | None, paths: tuple[str, ...], section: CandidatesSection
) -> Mapping[str, ModuleHistory]:
    """How each file has changed, by path; empty where git says nothing."""
    return {} if head is None else _changes(repository, head, paths, section)


@lru_cache(maxsize=4)
def _behind(repository: Path, head: str) -> frozenset[str]:
    from reverie.promotion.git import Git

    git = Git.find(repository)
    if git is None:
        return frozenset()
    return frozenset(git.run("rev-list", f"--max-count={COMMITS}", head).decode().split())


@lru_cache(maxsize=4)
def _changes(
    repository: Path, head: str, paths: tuple[str, ...], section: CandidatesSection
) -> Mapping[str, ModuleHistory]:
    from reverie.bootstrap import read_past
    from reverie.index.ranking import histories_of

    # Contents of old commits are not read: that takes long.
    quick = replace(section, ignore_formatting=False)
    past, _ = read_past(repository, quick)
    return {} if past is None else histories_of(repository, past, paths, quick) or {}


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
    from reverie.promotion.git import Git
    from reverie.promotion.patch import change_between

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


def keep_past(loaded: Loaded, journal: Journal) -> None:
    """Make the past of this repository, told of another place, that of the place it has now.

    A journal of its own moves and is copied with the repository. In one that several share, the
    past stays with a checkout that is still where it was.
    """
    from reverie.store.cycles.repositories import former_place, has_past, move_past

    repository = loaded.repository
    if has_past(journal, repository):
        return
    from reverie.promotion.history import identity_of

    identity = identity_of(repository)
    before = None if identity is None else former_place(journal, identity)
    is_own = loaded.settings.journal.url is None
    if before is not None and (is_own or not Path(before).exists()):
        move_past(journal, before, repository)


REACH_HEAT = 0.5
"""How much hotter a module is that all others import."""


class CyclePast:
    """Everything that git and the journal tell of earlier changes; each is read once, if asked."""

    def __init__(self, loaded: Loaded, journal: Journal | None, grounds: Grounds) -> None:
        self._loaded = loaded
        self._journal = journal
        self._grounds = grounds

    @cached_property
    def _history(self) -> History | None:
        from reverie.promotion.git import Git
        from reverie.promotion.history import read_history

        git = Git.find(self._loaded.repository)
        most = self._loaded.settings.candidates.max_commits
        return None if git is None else read_history(git, most)

    @cached_property
    def settled(self) -> tuple[Settled, ...]:
        """Changes that people have merged, taken back or rejected here."""
        return () if self._journal is None else load_settled(self._loaded, self._journal)

    @cached_property
    def _heats(self) -> Mapping[str, float] | None:
        from reverie.index.hotness import heats

        if self._history is None:
            return None
        paths = [each.path for each in self._grounds.index.modules if not each.is_test]
        return heats(self._history, paths, self._loaded.settings.candidates)

    def of(self, dream: Dream) -> Past:
        """What the commits to its files and the decisions on the like of it tell of a dream."""
        from reverie.index.hotness import track_record
        from reverie.model.worth import Past, TrackRecord

        known = tuple(
            each
            for each in self.settled
            if (each.kind, each.dreamer) == (str(dream.kind), dream.dreamer)
        )
        kept = sum(each.is_kept for each in known)
        files = TrackRecord(len(known) - kept, kept)
        if self._history is not None:
            files += track_record(self._history, dream.change.paths)
        return Past(files, known)

    def heat(self, path: str) -> float | None:
        """How hot a file is: by its changes, and by how many modules import it."""
        from reverie.stages.sources import reach_of

        index = self._grounds.index
        name = next((each.name for each in index.modules if each.path == path), None)
        if self._heats is None or name is None:
            return None
        return self._heats.get(path, 1.0) * (1 + REACH_HEAT * reach_of(index, name))


def load_settled(loaded: Loaded, journal: Journal) -> tuple[Settled, ...]:
    """What people have decided on, with what was predicted of it and what that came to."""
    from reverie.model.worth import Settled
    from reverie.store.decided import load_put_forward

    is_taken = _taken(loaded)
    found = []
    for each in load_put_forward(journal, loaded.repository):
        if not each.is_rejected and (each.commit is None or not is_taken(each.commit)):
            continue  # nobody has decided yet
        value, cost = each.score.get("value"), each.score.get("cost")
        real = None
        if isinstance(value, float) and isinstance(cost, float):
            real = (0.0 if each.is_rejected else value) - cost
        predicted = each.score.get("roi") if real is not None else None
        found.append(Settled(each.kind, each.dreamer, not each.is_rejected, predicted, real))
    return tuple(found)


def _taken(loaded: Loaded) -> Callable[[str], bool]:
    """Whether a branch of somebody's has a commit of ours."""
    from reverie.promotion.git import Git
    from reverie.promotion.promoter import Promoter

    git = Git.find(loaded.repository)
    if git is None:
        return lambda commit: False
    branches = Promoter(loaded.repository, loaded.settings.promotion).branches(git)
    ours = {f"refs/heads/{name}" for name in branches.ours()}

    def is_taken(commit: str) -> bool:
        return git.find_commit(commit) is not None and bool(set(branches.containing(commit)) - ours)

    return is_taken


_log = logging.getLogger(__name__)


def prune_branches(
    loaded: Loaded, journal: Journal, names: Sequence[str] = ()
) -> tuple[Removed, ...]:
    """Remove our branches that are old and have nothing left to offer, and those named."""
    pruner = _pruner(loaded, journal)
    if pruner is None:
        return ()
    named = pruner.remove_named(names) if names else ()
    before = datetime.now(UTC) - timedelta(days=loaded.settings.promotion.branch_days)
    return (*named, *pruner.remove_spent(before))


def prune_after_cycle(loaded: Loaded, journal: Journal) -> None:
    """The same at the end of a cycle, where the settings ask for it; a failure is only logged."""
    if not loaded.settings.promotion.prune_branches:
        return
    try:
        for each in prune_branches(loaded, journal):
            _log.info("removed the branch %s at %s: %s", each.branch, each.commit, each.why)
    except ReverieError as error:
        _log.warning("branches are left as they are: %s", error)


def _pruner(loaded: Loaded, journal: Journal) -> BranchPruner | None:
    from reverie.model.cycle import PromotionStatus
    from reverie.promotion.branches import Branches, BranchPast, BranchPruner
    from reverie.promotion.git import Git
    from reverie.store.cycles.promotions import commits_by_branch

    git = Git.find(loaded.repository)
    if git is None or git.find_commit("HEAD") is None:
        return None
    section = loaded.settings.promotion
    branches = Branches(git, section.branch_prefix)
    past = {}
    known = commits_by_branch(journal, loaded.repository, branches.ours())
    for branch, commits in known.items():
        standing = {each.status for each in commits} - {None}
        past[branch] = BranchPast(
            frozenset(each.commit for each in commits if each.commit is not None),
            standing == {PromotionStatus.ROLLED_BACK},
        )
    return BranchPruner(branches, past, section.lock_seconds)
