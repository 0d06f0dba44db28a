"""Writes a batch of entries in one transaction.

Rows that could meet a concurrent writer's are sent in key order, table after table, so that
two processes never wait for each other in a circle.
"""

import threading
from collections.abc import Sequence
from typing import Any

from reverie.errors import StoreError
from reverie.store.backend import Backend, Connection, Cursor
from reverie.store.entries import Code, Entry, Failure, Terms
from reverie.store.statements import backend_statements

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
