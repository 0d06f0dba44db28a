"""The files that are judged, and which of their lines."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from reverie.index.exclusions import holds_tests
from reverie.index.reading.facts import FileFacts
from reverie.index.reading.file import read_bytes
from reverie.model.code import Function
from reverie.model.outcome import TrustTier

MAX_BYTES = 4 << 20
"""A larger file is data, or was generated."""


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """One file, read once. `changed` is None when all of it is judged."""

    path: str
    """As it is shown: relative to the repository where it lies in it."""
    absolute: Path
    content: bytes
    tier: TrustTier
    facts: FileFacts
    changed: frozenset[int] | None = None

    @classmethod
    def read(
        cls, path: str, absolute: Path, tier: TrustTier, changed: frozenset[int] | None = None
    ) -> "JudgedFile":
        """A file from the disk, understood but never run."""
        content = absolute.read_bytes()
        return cls(path, absolute, content, tier, read_bytes(content), changed)

    @property
    def is_test(self) -> bool:
        """Whether its name says that it holds tests."""
        return holds_tests(PurePosixPath(self.path))

    @property
    def size(self) -> int:
        """How many lines are judged."""
        return self.facts.loc if self.changed is None else len(self.changed)

    @property
    def functions(self) -> list[Function]:
        """The functions and methods that are judged."""
        methods = [each for owner in self.facts.classes for each in owner.methods]
        every = [*self.facts.functions, *methods]
        return [each for each in every if self.judges(each.line, each.end_line)]

    def judges(self, first_line: int, last_line: int | None = None) -> bool:
        """Whether any of these lines is one of those that are judged."""
        if self.changed is None:
            return True
        return not self.changed.isdisjoint(range(first_line, (last_line or first_line) + 1))
