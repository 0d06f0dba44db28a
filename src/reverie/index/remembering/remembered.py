"""A repository's index that is remembered: brought up to date, loaded whole, searched.

What does it is imported by the method that needs it: a search in an unchanged repository needs
little.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.index.discovery import TierOf
    from reverie.index.orphans.evidence_files import Evidence
    from reverie.index.remembering.memory import Memory
    from reverie.index.remembering.refresh import Progress, Refreshed
    from reverie.index.remembering.rereading import ReadFiles
    from reverie.index.remembering.sheet_laying import SheetPlace
    from reverie.index.search import Candidates, Hit, Question
    from reverie.model.repository.code import CodeIndex
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
    sheet: SheetPlace | None = None
    """Where a sheet for plain questions may lie; None: nowhere."""

    def is_current(self) -> bool:
        """Whether nothing has changed since it was remembered; when in doubt, no."""
        from reverie.index.remembering.trail import is_current

        return is_current(self.root, self.section, self.memory)

    def refresh(self, progress: Progress | None = None) -> Refreshed:
        """Read what changed since it was remembered."""
        from reverie.index.remembering.refresh import refresh

        refreshed = refresh(
            self.root, self.section, self.tier_of, self.memory, progress, self.read_files
        )
        self.lay_sheet()
        return refreshed

    def lay_sheet(self) -> None:
        """Have the sheet say what is remembered, if there may be one."""
        if self.sheet is not None:
            from reverie.index.remembering.sheet_laying import lay_sheet

            lay_sheet(self.sheet, self.root, self.section, self.memory)

    def load(self) -> CodeIndex:
        """The whole index as it is remembered; `refresh` first to have it as the files are."""
        from reverie.index.remembering.encoding import load_index

        return load_index(self.root, self.section, self.tier_of, self.memory)

    def evidence(self, index: CodeIndex, progress: Progress | None = None) -> Evidence:
        """What the files say about use besides the index; only of changed ones it is read anew."""
        from reverie.index.orphans.evidence_files import remembered_evidence

        return remembered_evidence(self.root, index, self.memory, progress)

    def search(self, question: str, limit: int) -> list[Hit]:
        """The functions, methods and classes that answer a question best."""
        from reverie.index.search import search

        return search(self._candidates, question, limit)

    def _candidates(self, asked: Question) -> Candidates:
        from reverie.index.search import Candidates

        is_shape = asked.shape is not None
        found = self.memory.find_symbols(asked.stems, only_shaped=is_shape)
        return Candidates([each.symbol.words for each in found], found.__getitem__)
