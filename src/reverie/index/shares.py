"""Read many files in one go and answer in JSON, so that another process can do it.

`read_share` is the work and `readings_of` reads its answer. A file with anything wrong is left to
whoever asked, so that errors read the same wherever a file was read.
"""

import json
from collections.abc import Sequence
from typing import Any

from reverie.index.collector import collector_paused
from reverie.index.discovery import FoundFile
from reverie.index.repository import read_found
from reverie.index.rereading import Reading, record_of
from reverie.model.indexed import FileOutline, FileRecord
from reverie.model.sections import IndexSection
from reverie.model.symbol import SymbolRecord

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
