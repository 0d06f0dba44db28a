"""From a finished execution to its rows, written batch by batch, each in one transaction.

An entry is made in the caller's thread, so it takes only what is kept: waiting in the buffer it
does not hold on to the output of its execution. The SQL is spelt out so that recording loads no
SQLAlchemy; every statement is the same for both databases but for the parameter mark and the
names of two functions, and a test holds the columns to `schema`. Rows that could meet a concurrent
writer's are sent in key order, table after table, so that two processes never wait for each other
in a circle.
"""

import hashlib
import json
import math
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from reverie import __version__
from reverie.errors import StoreError, UsageError
from reverie.model.execution import (
    Call,
    Execution,
    Expression,
    Limits,
    Module,
    Policy,
    Pytest,
    Request,
    Script,
    Target,
)
from reverie.model.history import (
    ERROR_MESSAGE_CHARACTERS,
    ERROR_TYPE_CHARACTERS,
    SNIPPET_CHARACTERS,
    signature_of,
)
from reverie.store.database.backend import Backend, Connection, Cursor
from reverie.store.scalars import SOURCE_CHARACTERS, storable, to_microseconds

_LARGEST_INTEGER = (1 << 63) - 1


class Terms(NamedTuple):
    """A row of `terms`."""

    terms_hash: str
    policy: str
    limits: str


class Code(NamedTuple):
    """A row of `code`."""

    code_hash: str
    source: str
    characters: int


class Failure(NamedTuple):
    """What one failure adds to a row of `failure_patterns`."""

    signature: str
    category: str
    message: str
    snippet: str
    seen_us: int


class Entry(NamedTuple):
    """Everything one execution adds to the journal."""

    row: tuple[Any, ...]  # in the order of `statements.EXECUTION_COLUMNS`
    terms: Terms
    failure: Failure | None
    code: Code | None

    @property
    def characters(self) -> int:
        """About how much memory it holds while it waits."""
        return len(self.code.source) if self.code is not None else 0


@lru_cache(maxsize=256)
def terms_of(policy: Policy, limits: Limits) -> Terms:
    """The JSON of both, made once for equal objects."""
    policy_json = json.dumps(asdict(policy), sort_keys=True)
    limits_json = json.dumps(asdict(limits), sort_keys=True)
    digest = hashlib.sha256(f"{policy_json}\n{limits_json}".encode()).hexdigest()
    return Terms(digest[:16], policy_json, limits_json)


def source_of(target: Target) -> str | None:
    """The source a target brings along, if any."""
    match target:
        case Expression(code) | Call(code) | Script(code):
            return code
        case Module() | Pytest():
            return None


def make_entry(request: Request, execution: Execution, *, with_code: bool) -> Entry:
    """The rows of one execution."""
    kind, entry = _kind_and_name(request.target)
    usage = execution.usage
    error = execution.error
    started_at_us = to_microseconds(execution.started_at)
    terms = terms_of(request.policy, request.limits)
    failure = _failure(request.target, execution, started_at_us)
    category = execution.error_category
    expected = request.expected_output_type
    row = (
        storable(execution.id),
        started_at_us,
        storable(execution.code_hash),
        terms.terms_hash,
        kind,
        None if entry is None else storable(entry),
        execution.outcome.value,
        None if category is None else category.value,
        None if error is None else _cut(error.type_name, ERROR_TYPE_CHARACTERS),
        None if error is None else _cut(error.message, ERROR_MESSAGE_CHARACTERS),
        None if failure is None else failure.signature,
        _measure(usage.wall_seconds * 1000.0),
        _measure(usage.cpu_seconds),
        _count(usage.peak_rss_bytes),
        execution.isolation.value,
        _count(execution.exit_code),
        execution.output_truncated,
        None if expected is None else storable(expected),
        __version__,
    )
    code = _code(request.target, execution.code_hash) if with_code else None
    return Entry(row, terms, failure, code)


def _kind_and_name(target: Target) -> tuple[str, str | None]:
    match target:
        case Call():
            return "call", target.entry
        case Expression():
            return "expression", None
        case Script():
            return "script", target.path
        case Module():
            return "module", target.name
        case Pytest():
            return "pytest", None


def _failure(target: Target, execution: Execution, seen_us: int) -> Failure | None:
    signature = signature_of(execution)
    if signature is None:
        return None
    error = execution.error
    message = "" if error is None else error.message[:ERROR_MESSAGE_CHARACTERS]
    category = execution.error_category
    return Failure(
        signature,
        "unknown" if category is None else category.value,
        storable(message),
        storable(_snippet(target)),
        seen_us,
    )


def _snippet(target: Target) -> str:
    match target:
        case Expression(code) | Call(code) | Script(code):
            text = code
        case Module(name, argv):
            text = " ".join(("python -m", name, *argv))
        case Pytest(args):
            text = " ".join(("pytest", *args))
    return text[:SNIPPET_CHARACTERS]


def _code(target: Target, code_hash: str) -> Code | None:
    source = source_of(target)
    if source is None:
        return None
    return Code(storable(code_hash), storable(source[:SOURCE_CHARACTERS]), len(source))


def _cut(text: str | None, characters: int) -> str | None:
    return None if text is None else storable(text[:characters])


def _measure(value: float | None) -> float | None:
    # SQLite stores NaN as NULL and PostgreSQL sorts it last: neither is a measure.
    return value if value is not None and math.isfinite(value) else None


def _count(value: int | None) -> int | None:
    # Refused here, where it concerns one execution, rather than in a batch of many.
    if value is not None and not -_LARGEST_INTEGER <= value <= _LARGEST_INTEGER:
        raise UsageError(f"a count that no database can hold: {value}")
    return value


EXECUTION_COLUMNS = (
    "id",
    "started_at_us",
    "code_hash",
    "terms_hash",
    "target",
    "entry",
    "outcome",
    "error_category",
    "error_type",
    "error_message",
    "failure_signature",
    "duration_ms",
    "cpu_seconds",
    "peak_rss_bytes",
    "isolation",
    "exit_code",
    "output_truncated",
    "expected_output_type",
    "reverie_version",
)
TERMS_COLUMNS = ("terms_hash", "policy", "limits")
CODE_COLUMNS = ("code_hash", "source", "characters")
PATTERN_COLUMNS = (
    "signature",
    "category",
    "message",
    "snippet",
    "frequency",
    "first_seen_us",
    "last_seen_us",
)
LAST_PRUNE_KEY = "last_prune"


@dataclass(frozen=True, slots=True)
class Statements:
    """What a batch is written with."""

    insert_terms: str
    insert_code: str
    insert_execution: str
    upsert_pattern: str
    find_execution: str
    read_last_prune: str


@lru_cache(maxsize=2)
def statements_for(placeholder: str, greatest: str, least: str) -> Statements:
    """The statements in the words of one database."""

    def insert(table: str, columns: tuple[str, ...]) -> str:
        marks = ", ".join([placeholder] * len(columns))
        return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"

    def once(table: str, columns: tuple[str, ...]) -> str:
        return f"{insert(table, columns)} ON CONFLICT ({columns[0]}) DO NOTHING"

    old = "failure_patterns"
    return Statements(
        insert_terms=once("terms", TERMS_COLUMNS),
        insert_code=once("code", CODE_COLUMNS),
        insert_execution=once("executions", EXECUTION_COLUMNS),
        upsert_pattern=f"{insert(old, PATTERN_COLUMNS)} ON CONFLICT (signature) DO UPDATE SET "
        f"frequency = {old}.frequency + excluded.frequency, "
        f"first_seen_us = {least}({old}.first_seen_us, excluded.first_seen_us), "
        f"last_seen_us = {greatest}({old}.last_seen_us, excluded.last_seen_us)",
        find_execution=f"SELECT 1 FROM executions WHERE id = {placeholder}",
        read_last_prune=f"SELECT value FROM meta WHERE key = '{LAST_PRUNE_KEY}'",
    )


def backend_statements(backend: Backend) -> Statements:
    """The statements for one backend."""
    return statements_for(backend.placeholder, backend.greatest, backend.least)


REMEMBERED_HASHES = 16_384


class BatchWriter:
    """One connection and what it has already stored. Used by one thread."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._in_use = threading.Lock()
        self._sql = backend_statements(backend)
        self._connection: Connection | None = None
        self._last_prune: object = None
        self._stored_terms: dict[str, None] = {}
        self._stored_code: dict[str, None] = {}

    def has_code(self, code_hash: str) -> bool:
        """Whether this writer has stored the source already. Safe from any thread."""
        return code_hash in self._stored_code

    def write(self, entries: Sequence[Entry]) -> None:
        """Commit all entries, or none of them and raise `StoreError`."""
        with self._in_use:
            try:
                if self._connection is None:
                    self._connection = self._backend.connect()
                self._write(self._connection, entries)
            except self._backend.errors as error:
                self._disconnect()
                location, reason = self._backend.location, self._backend.describe(error)
                message = f"the journal {location} cannot be written: {reason}"
                raise StoreError(message) from None

    def disconnect(self) -> None:
        """Drop the connection; the next batch makes a new one."""
        with self._in_use:
            self._disconnect()

    def pause(self) -> None:
        """Finish the batch, drop the connection, and write nothing until `resume`."""
        self._in_use.acquire()
        self._disconnect()

    def resume(self) -> None:
        """The end of a pause."""
        self._in_use.release()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _write(self, connection: Connection, entries: Sequence[Entry]) -> None:
        cursor = connection.cursor()
        self._begin(cursor)
        terms = self._insert_terms(cursor, entries)
        codes = self._insert_code(cursor, entries)
        cursor.executemany(self._sql.insert_execution, [entry.row for entry in entries])
        if cursor.rowcount != len(entries):
            # Some ids are known already: the first record of an id stays, and counts once.
            connection.rollback()
            self._write_unknown(connection, entries)
            return
        self._add_failures(cursor, entries)
        connection.commit()
        _remember(self._stored_terms, terms)
        _remember(self._stored_code, codes)

    def _write_unknown(self, connection: Connection, entries: Sequence[Entry]) -> None:
        cursor = connection.cursor()
        fresh: dict[str, Entry] = {}
        for entry in entries:
            cursor.execute(self._sql.find_execution, [entry.row[0]])
            if cursor.fetchone() is None:
                fresh.setdefault(entry.row[0], entry)
        connection.rollback()
        if fresh:
            self._write(connection, list(fresh.values()))

    def _begin(self, cursor: Cursor) -> None:
        if self._backend.begin_batch is not None:
            cursor.execute(self._backend.begin_batch)
        cursor.execute(self._sql.read_last_prune)
        last_prune = cursor.fetchone()
        if last_prune != self._last_prune:
            self._last_prune = last_prune
            self._stored_code.clear()

    def _insert_terms(self, cursor: Cursor, entries: Sequence[Entry]) -> dict[str, Terms]:
        stored = self._stored_terms
        new = {e.terms.terms_hash: e.terms for e in entries if e.terms.terms_hash not in stored}
        _insert_sorted(cursor, self._sql.insert_terms, new)
        return new

    def _insert_code(self, cursor: Cursor, entries: Sequence[Entry]) -> dict[str, Code]:
        stored = self._stored_code
        new = {
            entry.code.code_hash: entry.code
            for entry in entries
            if entry.code is not None and entry.code.code_hash not in stored
        }
        _insert_sorted(cursor, self._sql.insert_code, new)
        return new

    def _add_failures(self, cursor: Cursor, entries: Sequence[Entry]) -> None:
        patterns: dict[str, list[Any]] = {}
        for entry in entries:
            if entry.failure is not None:
                _add_failure(patterns, entry.failure)
        _insert_sorted(cursor, self._sql.upsert_pattern, patterns)


def _add_failure(patterns: dict[str, list[Any]], failure: Failure) -> None:
    known = patterns.get(failure.signature)
    if known is None:
        patterns[failure.signature] = [*failure[:4], 1, failure.seen_us, failure.seen_us]
        return
    known[4] += 1
    known[5] = min(known[5], failure.seen_us)
    known[6] = max(known[6], failure.seen_us)


def _insert_sorted(cursor: Cursor, statement: str, rows: dict[str, Any]) -> None:
    if rows:
        cursor.executemany(statement, [rows[key] for key in sorted(rows)])


def _remember(stored: dict[str, None], new: dict[str, Any]) -> None:
    stored.update(dict.fromkeys(new))
    while len(stored) > REMEMBERED_HASHES:
        del stored[next(iter(stored))]
