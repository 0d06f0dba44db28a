"""Branches of our own: names that nobody has, moves only as expected, and the end of old ones.

A branch goes when it is old and either others have all of it, or everything on it was taken back,
or it says no more than a newer one of ours. What somebody else committed to it stays, and so does
what is checked out and what nobody has taken yet.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

from reverie.errors import GitFailed, Refused, UsageError
from reverie.promotion.git import Git
from reverie.promotion.scratch import held_alone
from reverie.promotion.trees import path_text, tree_of

_HEADS = "refs/heads/"


@dataclass(frozen=True, slots=True)
class Branches:
    """The branches of one repository whose names start with a prefix of ours."""

    git: Git
    prefix: str
    used: frozenset[str] = frozenset()
    """Names that branches of ours had: who reads an old name must not find something else."""

    def unused(self, day: date) -> str:
        """The first name of a day that no branch has or had."""
        there = set(self.all())
        self._require_room(there)
        taken = there | self.used
        start = f"{self.prefix}/{day.isoformat()}-"
        number = 1
        while f"{start}{number}" in taken:
            number += 1
        return f"{start}{number}"

    def all(self) -> Iterator[str]:
        """Every local branch, ours or not."""
        listed = self.git.run("for-each-ref", "--format=%(refname)", _HEADS)
        for line in listed.splitlines():
            yield path_text(line).removeprefix(_HEADS)

    def ours(self) -> tuple[str, ...]:
        """Those that start with our prefix."""
        return tuple(name for name in self.all() if name.startswith(f"{self.prefix}/"))

    def tip(self, branch: str) -> str | None:
        """The commit that a branch is at; None when there is no such branch."""
        return self.git.find_commit(f"{_HEADS}{branch}")

    def move(self, branch: str, commit: str, expected: str | None, why: str) -> None:
        """Create or move a branch; `Refused` when it is not where it was, or somebody's work."""
        self._require_free(branch)
        old = expected or "0" * len(commit)
        self._update("-m", why, f"{_HEADS}{branch}", commit, old)

    def remove(self, branch: str, expected: str) -> None:
        """Remove a branch that is still where it was."""
        self._require_free(branch)
        self._update("-d", f"{_HEADS}{branch}", expected)

    def require_ours(self, branch: str) -> None:
        """Raise `Refused` for a name that could be somebody else's."""
        if not branch.startswith(f"{self.prefix}/"):
            raise Refused(f"{branch!r} is not a branch of ours ({self.prefix}/…)")

    def is_checked_out(self, branch: str) -> bool:
        """Whether a working tree stands on it, or is in the middle of rebasing it."""
        wanted = f"{_HEADS}{branch}"
        listed = self.git.run("worktree", "list", "--porcelain").split(b"\n")
        if any(path_text(line) == f"branch {wanted}" for line in listed):
            return True
        common = self.git.common_dir
        places = (common, *sorted((common / "worktrees").glob("*")))
        return any(wanted == name for place in places for name in _rebased(place))

    def containing(self, commit: str) -> tuple[str, ...]:
        """The references, whole names, from which a commit can be reached."""
        asked = ("for-each-ref", "--format=%(refname)", f"--contains={commit}")
        listed = self.git.run(*asked, _HEADS, "refs/remotes/", "refs/tags/")
        return tuple(path_text(line) for line in listed.splitlines())

    def _update(self, *arguments: str) -> None:
        try:
            self.git.run("update-ref", "--no-deref", *arguments)
        except GitFailed as error:
            raise Refused(f"the branch has moved meanwhile: {error}") from error

    def _require_free(self, branch: str) -> None:
        self.require_ours(branch)
        if self.is_checked_out(branch):
            raise Refused(f"{branch!r} is checked out; moving it would disturb a working tree")

    def _require_room(self, taken: set[str]) -> None:
        parts = self.prefix.split("/")
        for end in range(1, len(parts) + 1):
            name = "/".join(parts[:end])
            if name in taken:
                raise Refused(
                    f"the branch {name!r} leaves no room for {self.prefix}/…; "
                    "set promotion.branch_prefix"
                )


def _rebased(place: Path) -> Iterator[str]:
    for state in ("rebase-merge", "rebase-apply"):
        try:
            yield (place / state / "head-name").read_text("utf-8", "replace").strip()
        except OSError:
            continue


_REMOTES = "refs/remotes/"
_ASKED = "--format=%(committerdate:unix) %(objectname) %(refname)"


class Spent(StrEnum):
    """Why a branch has nothing left to offer."""

    MERGED = "merged"
    """Another branch or a tag has its newest commit."""
    TAKEN_OVER = "taken_over"
    """HEAD has every file as this branch has it: squashed, or picked one by one."""
    TAKEN_BACK = "taken_back"
    """Every promotion on it was rolled back."""
    EMPTY = "empty"
    """It holds what it was started from."""
    REPEATED = "repeated"
    """A newer branch of ours, from the same start, holds the same files."""
    NAMED = "named"
    """Somebody asked for it by name."""


@dataclass(frozen=True, slots=True)
class BranchPast:
    """What the journal knows of a branch."""

    commits: frozenset[str] = frozenset()
    """Promotions and reverts that we put there."""
    is_taken_back: bool = False
    """Whether there were promotions, and none of them stands."""


@dataclass(frozen=True, slots=True)
class Removed:
    """A branch that is gone, where it was, and why."""

    branch: str
    commit: str
    why: Spent


@dataclass(frozen=True, slots=True)
class _Tip:
    branch: str
    commit: str
    moment: datetime


@dataclass(slots=True)
class BranchPruner:
    """Our branches, held against what git and the journal say of them."""

    branches: Branches
    past: Mapping[str, BranchPast]
    lock_seconds: float = 30.0
    _seen: set[tuple[str, str]] = field(default_factory=set)
    """Start and files of the newer branches."""

    def remove_spent(self, before: datetime) -> tuple[Removed, ...]:
        """Remove what has not moved since a moment and has nothing left to offer."""
        with self._alone():
            return tuple(self._remove(tip, why) for tip, why in self._spent(before))

    def remove_named(self, names: Sequence[str]) -> tuple[Removed, ...]:
        """Remove branches of ours whatever they hold; all of them, or none where one cannot go."""
        with self._alone():
            tips = {tip.branch: tip for tip in self._tips()}
            for name in names:
                if name not in tips:
                    raise UsageError(f"no branch {name!r} of ours ({self.branches.prefix}/…)")
                if self.branches.is_checked_out(name):
                    raise Refused(f"{name!r} is checked out")
            return tuple(self._remove(tips[name], Spent.NAMED) for name in dict.fromkeys(names))

    def _alone(self) -> AbstractContextManager[None]:
        return held_alone(str(self.branches.git.common_dir), "a promotion", self.lock_seconds)

    def _remove(self, tip: _Tip, why: Spent) -> Removed:
        self.branches.remove(tip.branch, tip.commit)
        return Removed(tip.branch, tip.commit, why)

    def _tips(self) -> list[_Tip]:
        """Ours, newest first."""
        listed = self.branches.git.run("for-each-ref", _ASKED, _HEADS).splitlines()
        parted = (path_text(line).split(" ", 2) for line in listed)
        tips = [
            _Tip(
                name.removeprefix(_HEADS),
                commit,
                datetime.fromtimestamp(int(moment or 0), UTC),
            )
            for moment, commit, name in parted
            if name.startswith(f"{_HEADS}{self.branches.prefix}/")
        ]
        return sorted(tips, key=lambda tip: (tip.moment, tip.branch), reverse=True)

    def _spent(self, before: datetime) -> Iterator[tuple[_Tip, Spent]]:
        """Decided for all of them before the first one goes."""
        found = [(tip, self._why(tip, is_old=tip.moment < before)) for tip in self._tips()]
        for tip, why in found:
            if why is not None and not self.branches.is_checked_out(tip.branch):
                yield tip, why

    def _why(self, tip: _Tip, *, is_old: bool) -> Spent | None:
        start = self._start(tip)
        if start is None:
            return None  # a history of its own
        mark = (start, tree_of(self.branches.git, tip.commit))
        is_repeated = mark in self._seen
        self._seen.add(mark)
        if not is_old:
            return None
        if self._is_merged(tip):
            return Spent.MERGED
        if not self._is_ours_alone(tip, start):
            return None
        if mark[1] == tree_of(self.branches.git, start):
            return Spent.EMPTY
        past = self.past.get(tip.branch)
        if past is not None and past.is_taken_back:
            return Spent.TAKEN_BACK
        if self._is_taken_over(tip, start):
            return Spent.TAKEN_OVER
        return Spent.REPEATED if is_repeated else None

    def _start(self, tip: _Tip) -> str | None:
        """Where it left HEAD's history."""
        try:
            return self.branches.git.run("merge-base", "HEAD", tip.commit).decode().strip()
        except GitFailed:
            return None

    def _is_merged(self, tip: _Tip) -> bool:
        """Whether anything that is not our own, here or as pushed, has its newest commit."""
        ours = f"{self.branches.prefix}/"
        for ref in self.branches.containing(tip.commit):
            name = ref.removeprefix(_HEADS)
            if ref.startswith(_REMOTES):
                name = ref.removeprefix(_REMOTES).partition("/")[2]
            if not name.startswith(ours):
                return True
        return False

    def _is_ours_alone(self, tip: _Tip, start: str) -> bool:
        """Whether the journal knows every commit on it."""
        listed = self.branches.git.run("rev-list", f"{start}..{tip.commit}").decode().split()
        past = self.past.get(tip.branch, BranchPast())
        return set(listed) <= past.commits

    def _is_taken_over(self, tip: _Tip, start: str) -> bool:
        """Whether HEAD has all that it changed just as it has it."""
        git = self.branches.git
        compared = ("diff-tree", "-r", "--no-renames", "--name-only", "-z")
        changed, missing = (
            {name for name in git.run(*compared, side, tip.commit).split(b"\0") if name}
            for side in (start, "HEAD")
        )
        return not changed & missing
