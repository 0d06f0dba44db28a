"""Which lines of a repository its tests have run."""

from collections.abc import Mapping
from dataclasses import dataclass


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
