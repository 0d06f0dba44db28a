"""Lays the sheet for plain questions out, from what is remembered."""

from __future__ import annotations

import os
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from reverie.index.remembering.sheet import (
    ERRORS,
    FIELD,
    OFFSET_BYTES,
    SPECIAL,
    Sheet,
    origin_of,
    read_sheet,
    sheet_bytes,
)
from reverie.index.remembering.trail import remembered_trail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from reverie.index.remembering.memory import Memory
    from reverie.model.repository.symbol import SymbolRecord
    from reverie.model.sections import IndexSection

_ESCAPES = str.maketrans(SPECIAL)


class SheetPlace(NamedTuple):
    """Where a sheet lies, and what the settings that it is made by were read from."""

    path: Path
    sources: tuple[int, ...]
    """What their files looked like before they were read."""


def lay_sheet(place: SheetPlace, root: Path, section: IndexSection, memory: Memory) -> None:
    """Write the sheet if it does not say yet what is remembered, and if that is settled.

    Where it cannot be written there is none: the journal answers as well, only later.
    """
    trail = remembered_trail(root, section, memory)
    if trail is None:
        return
    bare = _bare_sheet(place, root, trail)
    if _lies_there(place.path, bare):
        return
    try:
        _replace(place.path, sheet_bytes(filled(bare, memory)))
    except OSError:
        return


def _bare_sheet(place: SheetPlace, root: Path, trail: Mapping[str, int]) -> Sheet:
    """A sheet that does not say anything yet about symbols."""
    return Sheet(
        origin=origin_of(os.path.realpath(root), place.sources),
        places=b"\0".join(os.fsencode(each) for each in trail),
        seen=b" ".join(b"%d" % each for each in trail.values()),
        words=b"",
        typed=b"",
        offsets=b"",
        rows=b"",
        names=b"",
    )


def _lies_there(path: Path, bare: Sheet) -> bool:
    there = read_sheet(str(path))
    return there is not None and [*map(bytes, there[:3])] == [*bare[:3]]


def filled(bare: Sheet, memory: Memory) -> Sheet:
    """A sheet with all symbols that are remembered."""
    found = memory.find_symbols((), only_shaped=False)
    names = memory.known_files().items()
    rows = _lines([_row(path, symbol) for path, symbol in found])
    ends = accumulate(len(row) + 1 for row in rows.split(b"\n"))
    return bare._replace(
        words=_lines([(each.symbol.words,) for each in found]),
        typed=b" ".join([b"%d" % at for at, each in enumerate(found) if each.symbol.shape]),
        offsets=b"".join([end.to_bytes(OFFSET_BYTES) for end in ends]),
        rows=rows,
        names=_lines([(path, known.name) for path, known in names]),
    )


def _row(path: str, symbol: SymbolRecord) -> tuple[str, ...]:
    qualname, line, kind, signature, summary, _, shape = symbol
    return path, qualname, str(line), kind, signature, summary, shape


def _lines(rows: Sequence[tuple[str, ...]]) -> bytes:
    """A line for each row; all at once, because they are tens of thousands."""
    text = "\n".join([FIELD.join(row) for row in rows])
    expected = len(rows) - 1, sum(map(len, rows)) - len(rows), 0
    if rows and expected != (text.count("\n"), text.count(FIELD), text.count("\x1e")):
        whole = [FIELD.join([each.translate(_ESCAPES) for each in row]) for row in rows]
        text = "\n".join(whole)
    return text.encode(errors=ERRORS)


def _replace(path: Path, content: bytes) -> None:
    """At once: whoever reads it meanwhile has the old one whole."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with open(beside, "xb") as file:
            file.write(content)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
