"""Evidence of use that is remembered file by file: only what changed is parsed again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reverie.errors import StoreError
from reverie.index.collector import collector_paused
from reverie.index.memory import Memory
from reverie.index.orphans.encoding import decode_source, encode_source
from reverie.index.orphans.reading import Evidence, read_evidence, read_source_facts
from reverie.index.orphans.source import SourceFacts
from reverie.index.refresh import Progress
from reverie.model.code import CodeIndex, Module
from reverie.model.indexed import StoredEvidence


def remembered_evidence(
    root: Path, index: CodeIndex, memory: Memory, progress: Progress | None = None
) -> Evidence:
    """The evidence of a repository; what had to be read is remembered."""
    with collector_paused():
        reader = _Reader(root, {each.path: each for each in memory.evidence()})
        evidence = read_evidence(root, index, progress, reader.read)
    if reader.fresh:
        memory.save_evidence(reader.fresh)
    return evidence


@dataclass(slots=True)
class _Reader:
    """Reads a file when what is remembered is of another content."""

    root: Path
    known: Mapping[str, StoredEvidence]
    fresh: list[StoredEvidence] = field(default_factory=list)

    def read(self, module: Module) -> SourceFacts | None:
        stored = self.known.get(module.path)
        if stored is not None and stored.content_hash == module.content_hash:
            facts = _decoded(stored)
            if facts is not None:
                return facts
        read = read_source_facts(self.root / module.path)
        if read is None:
            return None
        if read.content_hash == module.content_hash:  # else it changed since it was indexed
            encoded = encode_source(read.facts)
            self.fresh.append(StoredEvidence(module.path, module.content_hash, encoded))
        return read.facts


def _decoded(stored: StoredEvidence) -> SourceFacts | None:
    try:
        return decode_source(stored.facts)
    except (ValueError, TypeError, RecursionError) as error:
        reason = f"the remembered evidence of {stored.path!r} is none: {error}"
        raise StoreError(reason) from error
