"""Read the files that look changed, and hand on those that are."""

import time
from collections.abc import Callable, Mapping, Sequence

from reverie.index.collector import collector_paused
from reverie.index.discovery import FoundFile
from reverie.index.encoding import encode_facts, encode_imports
from reverie.index.linking import ReadFile
from reverie.index.memory import Memory
from reverie.index.repository import read_found
from reverie.index.search.symbols import symbols_of
from reverie.model.indexed import FileOutline, FileRecord, KnownFile
from reverie.model.sections import IndexSection

FRESH_NS = 1_000_000_000
"""A file younger than this may change again without its times telling."""
_BATCH_CHARACTERS = 4 << 20

Progress = Callable[[int, int], None]


def read_changed(
    looked: Sequence[FoundFile],
    section: IndexSection,
    known: Mapping[str, KnownFile],
    memory: Memory,
    progress: Progress | None,
) -> int:
    """Remember the files anew whose content has changed; how many there were."""
    batch, characters, count = list[FileRecord](), 0, 0
    touched: dict[str, str] = {}
    with collector_paused():
        for done, each in enumerate(looked):
            if progress is not None:
                progress(done, len(looked))
            signature = _trusted_signature(each)
            read = read_found(each, section, _hash_of(known.get(each.path)))
            if read is None:
                touched[each.path] = signature
                continue
            record = _record(read, signature)
            batch.append(record)
            count += 1
            characters += len(record.facts)
            if characters > _BATCH_CHARACTERS:
                memory.save_files(batch)
                batch, characters = [], 0
    if batch:
        memory.save_files(batch)
    if touched:
        memory.save_signatures(touched)
    return count


def _hash_of(known: KnownFile | None) -> str | None:
    return None if known is None else known.content_hash or None


def _trusted_signature(found: FoundFile) -> str:
    """The signature, unless the file is so fresh that it may change without its times telling."""
    return found.signature if found.changed_ns < time.time_ns() - FRESH_NS else ""


def _record(read: ReadFile, signature: str) -> FileRecord:
    said = read.facts
    return FileRecord(
        outline=FileOutline(
            path=read.path,
            loc=said.loc,
            functions=len(said.functions),
            methods=sum(len(each.methods) for each in said.classes),
            classes=len(said.classes),
            error=said.error,
            imports=encode_imports(said),
        ),
        signature=signature,
        content_hash=read.content_hash,
        facts=encode_facts(said),
        symbols=symbols_of(said),
    )
