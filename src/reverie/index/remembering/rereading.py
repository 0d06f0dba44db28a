"""Read the files that look changed, here or in another process, and hand on those that are.

`read_share` reads many files in one go and answers in JSON, so that another process can do it;
`readings_of` reads its answer. A file with anything wrong is left to whoever asked, so that errors
read the same wherever a file was read.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from reverie.index.discovery import FoundFile
from reverie.index.linking import ReadFile
from reverie.index.remembering.encoding import encode_facts, encode_imports
from reverie.index.remembering.memory import Memory
from reverie.index.remembering.trail import FRESH_NS
from reverie.index.repository import collector_paused, read_found
from reverie.index.search.symbols import symbols_of
from reverie.model.repository.indexed import FileOutline, FileRecord, KnownFile
from reverie.model.repository.symbol import SymbolRecord
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


_KNOWN, _LEFT = "known", "left"


def read_share(files: Sequence[tuple[str, str, str | None]], max_file_mb: int) -> str:
    """The records of files given as path, place and known hash, as JSON."""
    section = IndexSection(max_file_mb=max_file_mb)
    with collector_paused():
        return json.dumps([_answer(*each, section) for each in files], check_circular=False)


def _answer(path: str, place: str, known_hash: str | None, section: IndexSection) -> Any:
    read = read_found(FoundFile(path, place, "", 0, 0), section, known_hash)
    if read is None:
        return _KNOWN
    return _LEFT if read.facts.error is not None else _flat(record_of(read, ""))


def _flat(record: FileRecord) -> list[Any]:
    outline = record.outline
    counts = [outline.loc, outline.functions, outline.methods, outline.classes]
    symbols = [
        [each.qualname, each.line, each.kind, each.signature, each.summary, each.words, each.shape]
        for each in record.symbols
    ]
    return [record.content_hash, record.facts, outline.imports, *counts, symbols]


def readings_of(files: Sequence[tuple[FoundFile, str]], answer: object) -> list[Reading]:
    """What came of files given with their signatures, without those that were left.

    `ValueError` or `TypeError` for an answer that `read_share` does not give: it comes from a
    process that has read what nobody trusts.
    """
    rows = json.loads(answer) if isinstance(answer, str) else None
    if not isinstance(rows, list) or len(rows) != len(files):
        raise ValueError("not an answer for each file")
    return [
        Reading(found.path, signature, _record(found.path, signature, row))
        for (found, signature), row in zip(files, rows, strict=True)
        if row != _LEFT
    ]


def _record(path: str, signature: str, flat: Any) -> FileRecord | None:
    if flat == _KNOWN:
        return None
    content_hash, facts, imports, loc, functions, methods, classes, symbols = flat
    _require(str, content_hash, facts, imports)
    _require(int, loc, functions, methods, classes)
    outline = FileOutline(path, loc, functions, methods, classes, None, imports)
    return FileRecord(outline, signature, content_hash, facts, tuple(map(_symbol, symbols)))


def _symbol(flat: list[Any]) -> SymbolRecord:
    qualname, line, *texts = flat
    _require(str, qualname, *texts)
    _require(int, line)
    return SymbolRecord(qualname, line, *texts)


def _require(kind: type, *values: object) -> None:
    if any(type(value) is not kind for value in values):
        raise TypeError(f"not all of type {kind.__name__}")
