"""What a coverage file claims, before it is held against the repository."""

from collections.abc import Mapping
from dataclasses import dataclass

MAX_BYTES = 256 << 20
MAX_LINE = 10_000_000


@dataclass(frozen=True, slots=True)
class RawFile:
    """One file as it is reported. `missing` is None where only what was run is recorded."""

    executed: frozenset[int]
    missing: frozenset[int] | None
    branches_covered: int | None = None
    branches_total: int | None = None


@dataclass(frozen=True, slots=True)
class RawCoverage:
    """All files by the path reported, and folders that those paths may be relative to."""

    files: Mapping[str, RawFile]
    folders: tuple[str, ...] = ()
