"""A repository's index that is remembered: brought up to date, loaded whole, searched."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reverie.index.discovery import survey
from reverie.index.encoding import decode_facts
from reverie.index.linking import ReadFile, is_test_path, link
from reverie.index.memory import Memory
from reverie.index.refresh import Progress, Refreshed, TierOf, collector_paused, refresh
from reverie.index.repository import surroundings
from reverie.index.search import Hit, rank, read_question
from reverie.model.code import CodeIndex
from reverie.model.sections import IndexSection


@dataclass(frozen=True, slots=True)
class RememberedIndex:
    """The index of one repository with the memory that holds it."""

    root: Path
    section: IndexSection
    tier_of: TierOf
    memory: Memory

    def refresh(self, progress: Progress | None = None) -> Refreshed:
        """Read what changed since it was remembered."""
        return refresh(self.root, self.section, self.tier_of, self.memory, progress)

    def load(self) -> CodeIndex:
        """The whole index as it is remembered; `refresh` first to have it as the files are."""
        found = survey(self.root, self.section.exclude)
        around = surroundings(self.root, found, self.section, self.tier_of)
        with collector_paused():
            return link(self._facts(), around)

    def search(self, question: str, limit: int) -> list[Hit]:
        """The functions, methods and classes that answer a question best."""
        asked = read_question(question)
        only_shaped = asked.shape is not None
        found = self.memory.find_symbols(asked.stems, only_shaped=only_shaped)
        return rank(found, asked.words, asked.shape, is_test_path)[:limit]

    def _facts(self) -> Iterator[ReadFile]:
        for each in self.memory.facts():
            facts = decode_facts(each.facts, each.imports)
            yield ReadFile(each.path, each.content_hash, facts)
