"""Coverage files of coverage.py and others, read with the trust they deserve: JSON, XML, SQLite.

What a file claims is `raw` until it is held against the repository. `.coverage` may come from
anybody: it is opened read-only, only tables of the known shape are read, and a query that runs too
long is stopped. `coverage.xml` is read as it streams by.
"""

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.parsers import expat

from reverie.errors import UsageError

MAX_BYTES = 256 << 20
MAX_LINE = 10_000_000


@dataclass(frozen=True, slots=True)
class RawFile:
    """One file as it is reported. `missing` is None where only what was run is recorded."""

    executed: frozenset[int]
    missing: frozenset[int] | None
    branches_covered: int | None = None
    branches_total: int | None = None


@dataclass(frozen=True, slots=True)
class RawCoverage:
    """All files by the path reported, and folders that those paths may be relative to."""

    files: Mapping[str, RawFile]
    folders: tuple[str, ...] = ()


def read_json(path: Path) -> RawCoverage:
    """What was run and what was not, by file."""
    try:
        document = json.loads(path.read_bytes())
        files = document["files"]
        return RawCoverage({str(name): _file(about) for name, about in files.items()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise UsageError(f"{str(path)!r} is no coverage report: {reason}") from error


def _file(about: Any) -> RawFile:
    summary = about.get("summary", {})
    return RawFile(
        executed=_lines(about["executed_lines"]),
        missing=_lines(about["missing_lines"]),
        branches_covered=_count(summary.get("covered_branches")),
        branches_total=_count(summary.get("num_branches")),
    )


def _lines(numbers: Any) -> frozenset[int]:
    if not isinstance(numbers, list):
        raise TypeError("lines are no list")
    for number in numbers:
        if type(number) is not int or not 0 <= number <= MAX_LINE:
            raise ValueError(f"{number!r} is no line number")
    return frozenset(numbers) - {0}


def _count(number: Any) -> int | None:
    if number is not None and (type(number) is not int or number < 0):
        raise ValueError(f"{number!r} is no number of branches")
    return number


_CHUNK = 1 << 20
_CONDITION = re.compile(r"\((\d{1,9})/(\d{1,9})\)")


def read_xml(path: Path) -> RawCoverage:
    """What was run and what was not, by file. Entities are refused: no report needs one."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = _refuse_entity
    try:
        with open(path, "rb") as stream:
            while chunk := stream.read(_CHUNK):
                parser.Parse(chunk, False)
            parser.Parse(b"", True)
    except (expat.ExpatError, ValueError, KeyError) as error:
        raise UsageError(f"{str(path)!r} is no coverage report: {error}") from error
    if not reader.is_coverage:
        raise UsageError(f"{str(path)!r} is no coverage report: no <coverage> in it")
    return reader.result()


def _refuse_entity(*_: object) -> None:
    raise ValueError("it declares entities")


@dataclass(slots=True)
class _Lines:
    executed: set[int] = field(default_factory=set)
    missing: set[int] = field(default_factory=set)
    covered: int = 0
    total: int = 0


class _Reader:
    """Keeps what the elements say; a file may be spread over several classes."""

    def __init__(self) -> None:
        self.is_coverage = False
        self._files: defaultdict[str, _Lines] = defaultdict(_Lines)
        self._folders: list[str] = []
        self._file: _Lines | None = None
        self._in_source = False
        self._in_methods = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "coverage":
                self.is_coverage = True
            case "source":
                self._folders.append("")
                self._in_source = True
            case "class":
                self._file = self._files[attributes.get("filename", "")]
            case "methods":
                self._in_methods += 1
            case "line" if self._file is not None and not self._in_methods:
                self._line(self._file, attributes)

    def end(self, name: str) -> None:
        match name:
            case "source":
                self._in_source = False
            case "class":
                self._file = None
            case "methods":
                self._in_methods -= 1

    def text(self, text: str) -> None:
        if self._in_source:
            self._folders[-1] += text.strip()

    def _line(self, file: _Lines, attributes: dict[str, str]) -> None:
        number, hits = int(attributes["number"]), int(attributes["hits"])
        if not 0 < number <= MAX_LINE:
            raise ValueError(f"line {number}")
        (file.executed if hits > 0 else file.missing).add(number)
        condition = _CONDITION.search(attributes.get("condition-coverage", ""))
        if condition is not None:
            file.covered += int(condition[1])
            file.total += int(condition[2])

    def result(self) -> RawCoverage:
        """Everything that was said, once the end is reached."""
        files = {
            name: RawFile(
                frozenset(lines.executed),
                frozenset(lines.missing - lines.executed),
                lines.covered if lines.total else None,
                lines.total or None,
            )
            for name, lines in self._files.items()
            if name
        }
        return RawCoverage(files, tuple(folder for folder in self._folders if folder))


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
