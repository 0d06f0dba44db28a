"""What the journal remembers of an index: values on their way between `index` and `store`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from reverie.model.repository.symbol import SymbolRecord


@dataclass(frozen=True, slots=True)
class IndexTotals:
    """Counts over a whole repository."""

    modules: int
    packages: int
    functions: int
    """Outside of classes."""
    methods: int
    classes: int
    loc: int
    edges: int
    type_checking_edges: int
    errors: int
    """Files that could not be read or parsed."""
    tiers: Mapping[str, int]
    """Modules by trust tier."""


@dataclass(frozen=True, slots=True)
class FileOutline:
    """As much of a file as names, edges and totals are made of."""

    path: str
    loc: int
    functions: int
    methods: int
    classes: int
    error: str | None
    imports: str
    """JSON."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What is remembered of one file."""

    outline: FileOutline
    signature: str
    """Changes when the file does; empty when the file was too fresh to be sure."""
    content_hash: str
    facts: str
    """JSON: all but the imports."""
    symbols: tuple[SymbolRecord, ...] = ()

    @property
    def path(self) -> str:
        """Relative to the repository."""
        return self.outline.path


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """The remembered facts of one file, as JSON."""

    path: str
    content_hash: str
    imports: str
    facts: str


@dataclass(frozen=True, slots=True)
class StoredEvidence:
    """What one file says about the use of others, as JSON; of the content with this hash."""

    path: str
    content_hash: str
    facts: str


class KnownFile(NamedTuple):
    """As much of a remembered file as tells whether it has changed. A tuple: they are many."""

    signature: str
    content_hash: str
    name: str
    """Of the module; empty while an index is not finished."""


@dataclass(frozen=True, slots=True)
class KnownIndex:
    """What is remembered of a repository before anything is read."""

    layout: str
    """What names and edges depend on besides the files."""
    totals: IndexTotals
    indexed_at_us: int
