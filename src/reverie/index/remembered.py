"""A repository's index that is remembered: brought up to date, loaded whole, searched."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.index.memory import Memory
from reverie.index.paths import is_test_path
from reverie.index.refresh import Progress, Refreshed, refresh
from reverie.index.search import Hit, rank, read_question
from reverie.index.surroundings import TierOf
from reverie.model.sections import IndexSection

if TYPE_CHECKING:
    from reverie.index.orphans.reading import Evidence
    from reverie.index.rereading import ReadFiles
    from reverie.model.code import CodeIndex


@dataclass(frozen=True, slots=True)
class RememberedIndex:
    """The index of one repository with the memory that holds it."""

    root: Path
    section: IndexSection
    tier_of: TierOf
    memory: Memory
    read_files: "ReadFiles | None" = None
    """How files are read; None: in this process."""

    def refresh(self, progress: Progress | None = None) -> Refreshed:
        """Read what changed since it was remembered."""
        return refresh(
            self.root, self.section, self.tier_of, self.memory, progress, self.read_files
        )

    def load(self) -> "CodeIndex":
        """The whole index as it is remembered; `refresh` first to have it as the files are."""
        from reverie.index.loading import load_index

        return load_index(self.root, self.section, self.tier_of, self.memory)

    def evidence(self, index: "CodeIndex", progress: Progress | None = None) -> "Evidence":
        """What the files say about use besides the index; only of changed ones it is read anew."""
        from reverie.index.orphans.remembering import remembered_evidence

        return remembered_evidence(self.root, index, self.memory, progress)

    def search(self, question: str, limit: int) -> list[Hit]:
        """The functions, methods and classes that answer a question best."""
        asked = read_question(question)
        only_shaped = asked.shape is not None
        found = self.memory.find_symbols(asked.stems, only_shaped=only_shaped)
        return rank(found, asked.words, asked.shape, is_test_path)[:limit]
