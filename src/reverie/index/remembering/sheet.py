"""A sheet: all that a plain question needs, in one file beside the journal.

No settings are read for it and no journal is opened. It is true for as long as everything that it
was made from looks as it did: the files of the repository, and those that settings come from.
Texts stand in it as they are remembered; whoever shows them makes them harmless.
"""

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from reverie.home.seal import user_seal
from reverie.index.paths import packages_around
from reverie.index.remembering.trail import FORMAT, looks_alike
from reverie.index.search import Candidates
from reverie.model.repository.symbol import FoundSymbol, SymbolRecord

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from reverie.index.search import Question

SHEET_FOLDER = ".reverie"
SHEET_FILE = "search.sheet"
FIELD = "\x1f"
"""Between two values of a line."""
SPECIAL = {"\x1e": "\x1ee", "\n": "\x1en", FIELD: "\x1eu"}
"""What would end a value or a line, and what stands for it; the first is what marks the others."""
ERRORS = "surrogatepass"
OFFSET_BYTES = 8

_MARK = b"reverie sheet 1 "
_LONGEST_HEAD = 200
_MOST_BYTES = 256 << 20


class Sheet(NamedTuple):
    """The blocks of a sheet as they stand in the file: few of them are looked into."""

    origin: bytes | memoryview
    """What it depends on besides the places."""
    places: bytes | memoryview
    seen: bytes | memoryview
    words: bytes | memoryview
    """What each symbol is found by, a line each."""
    typed: bytes | memoryview
    """The numbers of the symbols that have types."""
    offsets: bytes | memoryview
    """Where the line after that of each symbol begins in `rows`."""
    rows: bytes | memoryview
    """The rest of each symbol, a line each."""
    names: bytes | memoryview
    """The path and the name of each module, a line each."""

    def is_current(self, root: str, sources: "Iterable[int]") -> bool:
        """Whether nothing has changed since it was laid."""
        if bytes(self.origin) != origin_of(root, sources):
            return False
        start, places = os.fsencode(root.rstrip("/") + "/"), bytes(self.places).split(b"\0")
        return looks_alike(start, places, [int(each) for each in bytes(self.seen).split()])

    def candidates(self, asked: "Question") -> Candidates:
        """Symbols with one of the stems among their words, or all; typed ones for a shape."""
        words = bytes(self.words)
        found = {} if asked.stems or not words else dict(enumerate(words.split(b"\n")))
        for stem in asked.stems:
            found.update(_lines_with(stem.encode(errors=ERRORS), words))
        numbers = sorted(found)
        if asked.shape is not None:
            numbers = [at for at in map(int, bytes(self.typed).split()) if at in found]
        texts = [found[at].decode(errors=ERRORS) for at in numbers]
        return Candidates(texts, lambda at: self._symbol(numbers[at], texts[at]))

    def module_names(self, paths: "Collection[str]") -> "Mapping[str, str]":
        """The names of the modules at some paths."""
        pairs = (_values(line) for line in bytes(self.names).split(b"\n") if line)
        return {path: name for path, name in pairs if path in paths}

    def _symbol(self, number: int, words: str) -> FoundSymbol:
        row = bytes(self.rows[self._end(number - 1) : self._end(number) - 1])
        path, qualname, line, kind, signature, summary, shape = _values(row)
        record = SymbolRecord(qualname, int(line), kind, signature, summary, words, shape)
        return FoundSymbol(path, record)

    def _end(self, number: int) -> int:
        at = number * OFFSET_BYTES
        return int.from_bytes(self.offsets[at : at + OFFSET_BYTES]) if number >= 0 else 0


def origin_of(root: str, sources: "Iterable[int]") -> bytes:
    """What a sheet depends on besides the places: what settings say, how and where it is read."""
    version = sys.version_info[:2]
    token = user_seal().tag("sheet", os.fsencode(root))  # whoever ships a sheet does not know it
    return ascii((FORMAT, version, packages_around(root), token, *sources)).encode()


def read_sheet(path: str) -> Sheet | None:
    """The sheet of a file; None: there is none, or it is something else."""
    content = _content(path)
    head, _, _ = content[:_LONGEST_HEAD].partition(b"\n")
    lengths = head.removeprefix(_MARK).split()
    if not head.startswith(_MARK) or not all(each.isdigit() for each in lengths):
        return None
    blocks, start, whole = [], len(head) + 1, memoryview(content)
    for length in map(int, lengths):
        blocks.append(whole[start : start + length])
        start += length
    is_whole = start == len(content) and len(blocks) == len(Sheet._fields)
    return Sheet(*blocks) if is_whole else None


def sheet_bytes(sheet: Sheet) -> bytes:
    """A sheet as its file holds it."""
    return _MARK + b" ".join(b"%d" % len(block) for block in sheet) + b"\n" + b"".join(sheet)


def _content(path: str) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # it may be a pipe that never speaks
    except OSError:
        return b""
    try:
        size = os.fstat(handle).st_size
        return os.read(handle, size) if size <= _MOST_BYTES else b""
    except OSError:
        return b""
    finally:
        os.close(handle)


def _lines_with(part: bytes, text: bytes) -> "Iterator[tuple[int, bytes]]":
    """The lines that something stands in, by number; faster than a look at every line."""
    number, end, at = 0, 0, text.find(part)
    while at >= 0:
        number += text.count(b"\n", end, at)
        start, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
        if end < 0:
            end = len(text)
        yield number, text[start:end]
        at = text.find(part, end)


def _values(line: bytes) -> list[str]:
    values = line.decode(errors=ERRORS).split(FIELD)
    if b"\x1e" not in line:
        return values
    for char, stands in reversed(SPECIAL.items()):
        values = [each.replace(stands, char) for each in values]
    return values
