"""Read the files that look changed, and hand on those that are."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from reverie.index.collector import collector_paused
from reverie.index.discovery import FoundFile
from reverie.index.encoding import encode_facts, encode_imports
from reverie.index.linking import ReadFile
from reverie.index.memory import Memory
from reverie.index.repository import read_found
from reverie.index.search.symbols import symbols_of
from reverie.index.trail import FRESH_NS
from reverie.model.indexed import FileOutline, FileRecord, KnownFile
from reverie.model.sections import IndexSection

_BATCH_CHARACTERS = 4 << 20

Progress = Callable[[int, int], None]


class Reading(NamedTuple):
    """What came of reading a file; without a record its content is the one known."""

    path: str
    signature: str
    record: FileRecord | None


Known = Mapping[str, KnownFile]
ReadFiles = Callable[[Sequence[FoundFile], IndexSection, Known], Iterator[Reading]]
"""Reads every file once, in any order."""


def read_changed(
    looked: Sequence[FoundFile],
    section: IndexSection,
    known: Known,
    memory: Memory,
    progress: Progress | None,
    read_files: ReadFiles | None = None,
) -> int:
    """Remember the files anew whose content has changed; how many there were."""
    batch, characters, count = list[FileRecord](), 0, 0
    touched: dict[str, str] = {}
    with collector_paused():
        for done, read in enumerate((read_files or read_here)(looked, section, known)):
            if progress is not None:
                progress(done, len(looked))
            if read.record is None:
                touched[read.path] = read.signature
                continue
            batch.append(read.record)
            count += 1
            characters += len(read.record.facts)
            if characters > _BATCH_CHARACTERS:
                memory.save_files(batch)
                batch, characters = [], 0
    if batch:
        memory.save_files(batch)
    if touched:
        memory.save_signatures(touched)
    return count


def read_here(
    looked: Sequence[FoundFile], section: IndexSection, known: Known
) -> Iterator[Reading]:
    """Read files in this process, one after another."""
    for each in looked:
        signature = trusted_signature(each)
        read = read_found(each, section, hash_of(known.get(each.path)))
        record = None if read is None else record_of(read, signature)
        yield Reading(each.path, signature, record)


def hash_of(known: KnownFile | None) -> str | None:
    """The hash of a known content; None when there was none."""
    return None if known is None else known.content_hash or None


def trusted_signature(found: FoundFile) -> str:
    """The signature, unless the file is so fresh that it may change without its times telling.

    To be asked before the file is read.
    """
    return found.signature if found.changed_ns < time.time_ns() - FRESH_NS else ""


def record_of(read: ReadFile, signature: str) -> FileRecord:
    """What is remembered of a file that was read."""
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
