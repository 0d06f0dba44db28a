"""A repository's index that is remembered: brought up to date, loaded whole, searched.

What does it is imported by the method that needs it: a search in an unchanged repository needs
little.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.index.memory import Memory
    from reverie.index.orphans.reading import Evidence
    from reverie.index.refresh import Progress, Refreshed
    from reverie.index.rereading import ReadFiles
    from reverie.index.search import Hit
    from reverie.index.surroundings import TierOf
    from reverie.model.code import CodeIndex
    from reverie.model.sections import IndexSection


@dataclass(frozen=True, slots=True)
class RememberedIndex:
    """The index of one repository with the memory that holds it."""

    root: Path
    section: IndexSection
    tier_of: TierOf
    memory: Memory
    read_files: ReadFiles | None = None
    """How files are read; None: in this process."""

    def is_current(self) -> bool:
        """Whether nothing has changed since it was remembered; when in doubt, no."""
        from reverie.index.trail import is_current

        return is_current(self.root, self.section, self.memory)

    def refresh(self, progress: Progress | None = None) -> Refreshed:
        """Read what changed since it was remembered."""
        from reverie.index.refresh import refresh

        return refresh(
            self.root, self.section, self.tier_of, self.memory, progress, self.read_files
        )

    def load(self) -> CodeIndex:
        """The whole index as it is remembered; `refresh` first to have it as the files are."""
        from reverie.index.loading import load_index

        return load_index(self.root, self.section, self.tier_of, self.memory)

    def evidence(self, index: CodeIndex, progress: Progress | None = None) -> Evidence:
        """What the files say about use besides the index; only of changed ones it is read anew."""
        from reverie.index.orphans.remembering import remembered_evidence

        return remembered_evidence(self.root, index, self.memory, progress)

    def search(self, question: str, limit: int) -> list[Hit]:
        """The functions, methods and classes that answer a question best."""
        from reverie.index.paths import is_test_path
        from reverie.index.search import rank, read_question

        asked = read_question(question)
        only_shaped = asked.shape is not None
        found = self.memory.find_symbols(asked.stems, only_shaped=only_shaped)
        return rank(found, asked.words, asked.shape, is_test_path, limit)
