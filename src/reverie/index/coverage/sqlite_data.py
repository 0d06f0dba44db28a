"""`.coverage`: the database in which coverage.py keeps what was run.

The file may come from anybody: it is opened read-only, only tables of the known shape are read,
and a query that runs too long is stopped.
"""

import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from reverie.errors import UsageError
from reverie.index.coverage.raw import MAX_LINE, RawCoverage, RawFile

_TABLES = ("coverage_schema", "file", "line_bits", "arc")
_VERSIONS = range(5, 8)
_MAX_ROWS = 20_000_000
_STEPS_BETWEEN_LOOKS = 100_000
_MAX_LOOKS = 20_000


def read_sqlite(path: Path) -> RawCoverage:
    """What was run, by file."""
    place = f"file:{quote(str(path))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(place, uri=True)) as database:
            _restrict(database)
            _check_shape(database, path)
            return _read(database)
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        raise UsageError(f"{str(path)!r} is no coverage data: {error}") from error


def lines_of(numbits: bytes) -> list[int]:
    """The numbers whose bits are set, lowest bit of the lowest byte first."""
    return [
        position * 8 + bit
        for position, byte in enumerate(numbits)
        if byte
        for bit in range(8)
        if byte & (1 << bit)
    ]


def _restrict(database: sqlite3.Connection) -> None:
    looks = iter(range(_MAX_LOOKS))
    database.set_progress_handler(lambda: next(looks, None) is None, _STEPS_BETWEEN_LOOKS)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA query_only = ON")


def _check_shape(database: sqlite3.Connection, path: Path) -> None:
    marks = ",".join("?" * len(_TABLES))
    query = f"SELECT name, type FROM sqlite_master WHERE name IN ({marks})"
    kinds = dict(database.execute(query, _TABLES))
    if any(kinds.get(name) != "table" for name in _TABLES):
        raise UsageError(f"{str(path)!r} is no coverage data: its tables are others")
    (version,) = database.execute("SELECT version FROM coverage_schema").fetchone() or (None,)
    if version not in _VERSIONS:
        raise UsageError(f"{str(path)!r} has schema {version!r}, not one of 5 to 7")


def _read(database: sqlite3.Connection) -> RawCoverage:
    names = {number: str(name) for number, name in database.execute("SELECT id, path FROM file")}
    found: defaultdict[int, set[int]] = defaultdict(set)
    for number, bits in _limited(database, "SELECT file_id, numbits FROM line_bits"):
        if not isinstance(bits, bytes) or len(bits) > MAX_LINE // 8:
            raise ValueError("line numbers are no bits")
        found[number].update(lines_of(bits))
    for number, *ends in _limited(database, "SELECT file_id, fromno, tono FROM arc"):
        found[number].update(int(end) for end in ends if 0 < int(end) <= MAX_LINE)
    return RawCoverage(
        {name: RawFile(frozenset(found[number] - {0}), None) for number, name in names.items()}
    )


def _limited(database: sqlite3.Connection, query: str) -> "sqlite3.Cursor":
    return database.execute(f"{query} LIMIT {_MAX_ROWS}")
