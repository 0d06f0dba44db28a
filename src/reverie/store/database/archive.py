"""A journal as text: a line per row, the same from SQLite and from PostgreSQL.

The last line tells how many rows there are and their digest: what was cut short is not taken for
a whole.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text

from reverie import __version__
from reverie.errors import UsageError
from reverie.store.database.backend import SCHEMA_VERSION
from reverie.store.journal import Journal
from reverie.store.schema import metadata
from reverie.store.tables.columns import RowNumber

FORMAT = "reverie-journal"
ROWS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Archived:
    """What an archive holds."""

    schema: str
    rows: int
    digest: str


def lines_of(journal: Journal) -> Iterator[bytes]:
    """Every row of one moment, with a head and an end."""
    digest, rows = hashlib.sha256(), 0
    yield _line({"format": FORMAT, "schema": SCHEMA_VERSION, "reverie": __version__})
    with journal.reading() as connection:
        for table in metadata.sorted_tables:
            query = select(table).order_by(*table.primary_key.columns)
            for row in connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE)):
                line = _line({"table": table.name, "row": list(row)})
                digest.update(line)
                rows += 1
                yield line
    yield _line({"rows": rows, "sha256": digest.hexdigest()})


def read_in(journal: Journal, lines: Iterable[bytes]) -> Archived:
    """Fill an empty journal; all rows in one transaction, or none where something is wrong."""
    found = iter(lines)
    _check_head(next(found, b""))
    with journal.writing() as connection:
        _require_empty(connection, journal)
        connection.execute(metadata.tables["meta"].delete())
        archived = _fill(connection, found)
        _set_numbers(connection, journal)
        return archived


def _check_head(line: bytes) -> None:
    head = _parsed(line)
    if head.get("format") != FORMAT:
        raise UsageError("this is no archive of a journal")
    if head.get("schema") != SCHEMA_VERSION:
        told = f"schema {head.get('schema')} (Reverie {head.get('reverie')})"
        raise UsageError(
            f"the archive has {told}, this Reverie {SCHEMA_VERSION}: read it in with the version "
            "that wrote it, which this one then brings up to date"
        )


def _require_empty(connection: Connection, journal: Journal) -> None:
    for table in metadata.sorted_tables:
        if table.name == "meta":
            continue
        if connection.execute(select(func.count()).select_from(table)).scalar_one():
            raise UsageError(f"the journal {journal.location} is not empty: nothing was changed")


def _fill(connection: Connection, lines: Iterator[bytes]) -> Archived:
    digest = hashlib.sha256()
    waiting: list[dict[str, Any]] = []
    current: Table | None = None
    for rows, line in enumerate(lines):
        document = _parsed(line)
        if "sha256" in document:
            _insert(connection, current, waiting)
            return _checked(document, rows, digest.hexdigest(), next(lines, None))
        table, row = _row(document)
        if table is not current or len(waiting) >= ROWS_AT_ONCE:
            _insert(connection, current, waiting)
            current, waiting = table, []
        waiting.append(row)
        digest.update(line)
    raise UsageError("the archive was cut short: nothing was changed")


def _checked(document: dict[str, Any], rows: int, digest: str, rest: bytes | None) -> Archived:
    if document["sha256"] != digest or document.get("rows") != rows or rest is not None:
        raise UsageError("the archive was changed since it was written: nothing was changed")
    return Archived(SCHEMA_VERSION, rows, digest)


def _row(document: dict[str, Any]) -> tuple[Table, dict[str, Any]]:
    table, row = metadata.tables.get(str(document.get("table"))), document.get("row")
    if table is None or not isinstance(row, list) or len(row) != len(table.columns):
        raise UsageError("the archive holds a row that no journal has: nothing was changed")
    return table, dict(zip(table.columns.keys(), row, strict=True))


def _insert(connection: Connection, table: Table | None, rows: list[dict[str, Any]]) -> None:
    if table is not None and rows:
        connection.execute(insert(table), rows)


def _set_numbers(connection: Connection, journal: Journal) -> None:
    """PostgreSQL counts rows by itself, and goes on from the highest."""
    if journal.backend.dialect == "sqlite":
        return
    for table in metadata.sorted_tables:
        (first, *others) = table.primary_key.columns
        if others or first.type is not RowNumber:
            continue
        place = f"pg_get_serial_sequence('{table.name}', '{first.name}')"
        highest = f"(SELECT max({first.name}) FROM {table.name})"
        connection.execute(text(f"SELECT setval({place}, {highest}) WHERE {highest} IS NOT NULL"))


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document, allow_nan=False).encode() + b"\n"


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError("the archive is damaged: nothing was changed") from error
    if not isinstance(document, dict):
        raise UsageError("the archive is damaged: nothing was changed")
    return document
