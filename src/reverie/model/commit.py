"""The history of a repository's files, as git tells it."""

from dataclasses import dataclass
from enum import StrEnum


class TouchKind(StrEnum):
    """What a commit did to a file."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class BlobPair:
    """A file before and after a commit, by the names git has for the two contents."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class FileTouch:
    """One file in one commit. Bytes of a path that are no text are spelled `\\xff`."""

    path: str
    kind: TouchKind
    previous_path: str | None = None
    """Only of a rename."""
    blobs: BlobPair | None = None
    """Absent where there is no content on both sides."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit without its merges. Times are seconds since the epoch."""

    sha: str
    authored_at: int
    author_name: str
    author_email: str
    message: str
    is_root: bool
    touches: tuple[FileTouch, ...] = ()

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.partition("\n")[0]

    @property
    def author(self) -> str:
        """The author as git writes one."""
        return f"{self.author_name} <{self.author_email}>"


@dataclass(frozen=True, slots=True)
class History:
    """The commits that lead to `head` and touched Python files, newest first."""

    head: str
    head_time: int
    """When `head` was committed: what the age of every other commit is counted from."""
    commits: tuple[Commit, ...]
    is_shallow: bool = False
    is_truncated: bool = False
    """There are more commits than were read."""
    only_exact_renames: bool = False
    """Contents are missing (a partial clone), so only untouched files could be followed."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file as it is now, and its lines that were not there at some revision."""

    path: str
    lines: frozenset[int]
