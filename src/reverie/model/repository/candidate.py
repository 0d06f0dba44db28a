"""Where a test is worth most, with every number that says so: history, coverage and candidates.

The history is that of a repository's files, as git tells it; coverage is which lines its tests ran.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """One file: executable lines that were run, and those that were not."""

    executed: frozenset[int]
    missing: frozenset[int]
    branches_covered: int | None = None
    branches_total: int | None = None

    @property
    def statements(self) -> int:
        """How many lines could have been run."""
        return len(self.executed) + len(self.missing)

    @property
    def share(self) -> float | None:
        """The share of lines that were run; None when there is none to run."""
        return len(self.executed) / self.statements if self.statements else None


@dataclass(frozen=True, slots=True)
class CoverageMap:
    """Coverage by path relative to the repository, and what was wrong with where it came from."""

    source: str
    """The file it was read from, or `measured`."""
    files: Mapping[str, FileCoverage]
    stale: tuple[str, ...] = ()
    """Files that have become shorter than the lines reported of them: their figures are dropped."""
    unknown: int = 0
    """Reported files that are no module of the repository."""
    notes: tuple[str, ...] = ()


class Exclusion(StrEnum):
    """Why a module is no candidate."""

    TEST = "test"
    GENERATED = "generated"
    VENDORED = "vendored"
    BESIDE = "beside the code"
    SETTING = "setting"
    NOT_PARSED = "not parsed"
    NO_FUNCTIONS = "no functions"


@dataclass(frozen=True, slots=True)
class ExcludedModule:
    """A module that is no candidate, and what gave it away."""

    path: str
    reason: Exclusion
    detail: str


@dataclass(frozen=True, slots=True)
class CountedTouch:
    """A commit that counts as a change of a module."""

    commit: str
    author: str
    age_days: float
    weight: float
    is_fix: bool
    is_revert: bool
    subject: str = ""
    """The first line of its message."""


@dataclass(frozen=True, slots=True)
class ModuleHistory:
    """The changes of one module that count, newest first, and how many do not, by reason."""

    touches: tuple[CountedTouch, ...]
    passed_over: Mapping[str, int] = field(default_factory=dict)

    @property
    def churn(self) -> float:
        """Changes, each weighted by how recent it is."""
        return sum(touch.weight for touch in self.touches)

    @property
    def faults(self) -> float:
        """Changes that mended or took back an earlier one, weighted likewise."""
        return sum(touch.weight for touch in self.touches if touch.is_fix or touch.is_revert)

    @property
    def authors(self) -> int:
        """How many people changed it."""
        return len({touch.author for touch in self.touches})

    @property
    def main_author_share(self) -> float | None:
        """The share of changes by the one who made most; None without changes."""
        if not self.touches:
            return None
        names = [touch.author for touch in self.touches]
        return max(names.count(name) for name in set(names)) / len(names)


@dataclass(frozen=True, slots=True)
class ModuleComplexity:
    """The functions and methods of one module."""

    functions: int
    total: int
    """Cyclomatic complexity of all of them together."""
    highest: int
    cognitive: int


@dataclass(frozen=True, slots=True)
class Factors:
    """What the value is the product of. None: not known, and left out of the product."""

    change: float | None
    fault: float | None
    spread: float | None
    untested: float | None
    complexity: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A module with the expected value of a test there."""

    module: str
    path: str
    lines: int
    value: float
    factors: Factors
    complexity: ModuleComplexity
    history: ModuleHistory | None
    coverage: FileCoverage | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """All modules of a repository: candidates, best first, and the others."""

    candidates: tuple[Candidate, ...]
    excluded: tuple[ExcludedModule, ...]
    notes: tuple[str, ...]
    """What was not known, and so left out."""
    head: str | None = None
    """The commit that ages are counted from."""
