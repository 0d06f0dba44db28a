"""Branches of our own: names that nobody has, and moves that happen only as expected."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from reverie.errors import GitFailed, Refused
from reverie.promotion.git import Git
from reverie.promotion.trees import path_text

_HEADS = "refs/heads/"


@dataclass(frozen=True, slots=True)
class Branches:
    """The branches of one repository whose names start with a prefix of ours."""

    git: Git
    prefix: str

    def unused(self, day: date) -> str:
        """The first name of a day that no branch has."""
        taken = set(self.all())
        self._require_room(taken)
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
