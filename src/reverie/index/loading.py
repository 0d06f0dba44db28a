"""A whole index from what is remembered of each file."""

from collections.abc import Iterator
from pathlib import Path

from reverie.errors import StoreError
from reverie.index.collector import collector_paused
from reverie.index.discovery import survey
from reverie.index.encoding import decode_facts
from reverie.index.linking import ReadFile, link
from reverie.index.memory import Memory
from reverie.index.surroundings import TierOf, surroundings
from reverie.model.code import CodeIndex
from reverie.model.sections import IndexSection


def load_index(root: Path, section: IndexSection, tier_of: TierOf, memory: Memory) -> CodeIndex:
    """Names, imports, calls and public names are worked out again; no file is read."""
    found = survey(root, section.exclude)
    around = surroundings(root, found, section, tier_of)
    with collector_paused():
        return link(_read_files(memory), around)


def _read_files(memory: Memory) -> Iterator[ReadFile]:
    for each in memory.facts():
        try:
            facts = decode_facts(each.facts, each.imports)
        except (ValueError, TypeError, IndexError, RecursionError) as error:
            reason = f"the remembered facts of {each.path!r} are none: {error}"
            raise StoreError(reason) from error
        yield ReadFile(each.path, each.content_hash, facts)
