"""The remembered index of a repository.

Speaks to the driver directly, like the recorder: loading SQLAlchemy costs more than an answer
of `reverie search`. For the same reason values that a search does not need are imported by the
methods that make them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from reverie.errors import StoreError
from reverie.model.repository.symbol import FoundSymbol, SymbolRecord
from reverie.store.scalars import one_line, storable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from reverie.model.repository.indexed import (
        FileOutline,
        FileRecord,
        IndexTotals,
        KnownFile,
        KnownIndex,
        StoredEvidence,
        StoredFacts,
    )
    from reverie.store.database.backend import Connection, Cursor
    from reverie.store.journal import Journal

FILE_COLUMNS = (
    "repository",
    "path",
    "signature",
    "content_hash",
    "name",
    "loc",
    "functions",
    "methods",
    "classes",
    "error",
    "imports",
    "facts",
)
SYMBOL_COLUMNS = (
    "repository",
    "path",
    "position",
    "qualname",
    "line",
    "kind",
    "signature",
    "summary",
    "words",
    "shape",
)
EVIDENCE_COLUMNS = ("repository", "path", "content_hash", "facts")
_OF_FILES = ("indexed_evidence", "indexed_symbols", "indexed_files")


class CodeIndexMemory:
    """What one journal remembers of one repository.

    Without a connection that its maker keeps open, every question opens one: half a
    millisecond of SQLite, which then reads its schema.
    """

    def __init__(
        self, journal: Journal, repository: str, connection: Connection | None = None
    ) -> None:
        self._journal = journal
        self._connection = connection
        self._mark = journal.backend.placeholder
        self._place = storable(repository)
        self._number: int | None = None

    def known_format(self) -> str | None:
        """The format of what is remembered; None when nothing is."""
        sql = "SELECT format FROM indexed_repositories WHERE id = ?"
        rows = self._select_here(sql)
        return str(rows[0][0]) if rows and rows[0][0] is not None else None

    def begin(self, written_as: str) -> None:
        """Forget everything: what comes is in another format."""
        with self._writing() as cursor:
            number = self._number_of_repository(cursor)
            for table in _OF_FILES:
                cursor.execute(self._sql(f"DELETE FROM {table} WHERE repository = ?"), [number])
            values = "format = ?, totals = NULL, trail = NULL"
            sql = f"UPDATE indexed_repositories SET {values} WHERE id = ?"
            cursor.execute(self._sql(sql), [written_as, number])

    def known_index(self) -> KnownIndex | None:
        """What is remembered of the whole; None before a first index was finished."""
        from reverie.model.repository.indexed import KnownIndex

        columns = "layout, totals, indexed_at_us"
        rows = self._select(
            f"SELECT {columns} FROM indexed_repositories WHERE place = ?", [self._place]
        )
        if not rows or rows[0][1] is None:
            return None
        layout, totals, moment = rows[0]
        return KnownIndex(layout, _totals(totals, self._journal), moment)

    def known_files(self) -> Mapping[str, KnownFile]:
        """Every remembered file, by path."""
        from reverie.model.repository.indexed import KnownFile

        sql = "SELECT path, signature, content_hash, name FROM indexed_files WHERE repository = ?"
        return {row[0]: KnownFile(*row[1:]) for row in self._select_here(sql)}

    def trail(self) -> str | None:
        """What the files looked like when all of this was true; None: look at them."""
        rows = self._select_here("SELECT trail FROM indexed_repositories WHERE id = ?")
        return str(rows[0][0]) if rows and rows[0][0] is not None else None

    def save_trail(self, trail: str) -> None:
        """Remember it until a file is saved or forgotten."""
        with self._writing() as cursor:
            self._set_trail(cursor, self._number_of_repository(cursor), trail)

    def outlines(self) -> list[FileOutline]:
        """What names, edges and totals are made of, by path."""
        from reverie.model.repository.indexed import FileOutline

        columns = "path, loc, functions, methods, classes, error, imports"
        sql = f"SELECT {columns} FROM indexed_files WHERE repository = ? ORDER BY path"
        return [FileOutline(*row) for row in self._select_here(sql)]

    def errors(self) -> Mapping[str, str]:
        """What is wrong with the files that could not be read or parsed, by path."""
        sql = "SELECT path, error FROM indexed_files WHERE repository = ? AND error IS NOT NULL"
        return dict(sorted((row[0], row[1]) for row in self._select_here(sql)))

    def facts(self) -> Iterator[StoredFacts]:
        """All that is remembered of each file, by path."""
        from reverie.model.repository.indexed import StoredFacts

        columns = "path, content_hash, imports, facts"
        sql = f"SELECT {columns} FROM indexed_files WHERE repository = ? ORDER BY path"
        for row in self._select_here(sql):
            yield StoredFacts(*row)

    def evidence(self) -> list[StoredEvidence]:
        """What is remembered of the use of modules, by path."""
        from reverie.model.repository.indexed import StoredEvidence

        columns = ", ".join(EVIDENCE_COLUMNS[1:])
        sql = f"SELECT {columns} FROM indexed_evidence WHERE repository = ? ORDER BY path"
        return [StoredEvidence(*row) for row in self._select_here(sql)]

    def save_evidence(self, evidence: Sequence[StoredEvidence]) -> None:
        """Remember it until the file changes or is gone, in place of what was known of its path."""
        with self._writing() as cursor:
            number = self._number_of_repository(cursor)
            gone = self._sql("DELETE FROM indexed_evidence WHERE repository = ? AND path = ?")
            cursor.executemany(gone, [(number, each.path) for each in evidence])
            rows = [(number, each.path, each.content_hash, each.facts) for each in evidence]
            cursor.executemany(self._insert("indexed_evidence", EVIDENCE_COLUMNS), rows)

    def find_symbols(self, stems: Sequence[str], *, only_shaped: bool) -> list[FoundSymbol]:
        """Symbols with one of the stems among their words, or all; those with types only."""
        columns = ", ".join(("path", *SYMBOL_COLUMNS[3:]))
        sql = f"SELECT {columns} FROM indexed_symbols WHERE repository = ?"
        if only_shaped:
            sql += " AND shape <> ''"
        if stems:
            sql += f" AND ({' OR '.join(['words LIKE ?'] * len(stems))})"
        patterns = [f"%{_literally(stem)}%" for stem in stems]
        symbol = SymbolRecord._make
        return [FoundSymbol(row[0], symbol(row[1:])) for row in self._select_here(sql, patterns)]

    def module_names(self, paths: Collection[str]) -> Mapping[str, str]:
        """The names of the modules at some paths; empty while an index is not finished."""
        marks = ", ".join("?" * len(paths))
        sql = f"SELECT path, name FROM indexed_files WHERE repository = ? AND path IN ({marks})"
        return dict.fromkeys(paths, "") | dict(self._select_here(sql, [*paths]) if paths else ())

    def save_files(self, files: Sequence[FileRecord]) -> None:
        """Remember files, each in place of what was known of its path, all or none."""
        with self._writing() as cursor:
            number = self._number_of_repository(cursor)
            self._delete(cursor, number, [file.path for file in files])
            rows = [_file_row(number, file) for file in files]
            cursor.executemany(self._insert("indexed_files", FILE_COLUMNS), rows)
            symbols = [row for file in files for row in _symbol_rows(number, file)]
            cursor.executemany(self._insert("indexed_symbols", SYMBOL_COLUMNS), symbols)

    def save_signatures(self, signatures: Mapping[str, str]) -> None:
        """Remember files by a new signature: they look changed and are not."""
        self._update("signature", signatures)

    def forget_files(self, paths: Sequence[str]) -> None:
        """Forget files that are gone."""
        with self._writing() as cursor:
            self._delete(cursor, self._number_of_repository(cursor), paths)

    def save_index(self, whole: KnownIndex, names: Mapping[str, str]) -> None:
        """Remember the whole, with the module name of each path."""
        from reverie.model.codec import plain

        known = self.known_files()
        renamed = {path: name for path, name in names.items() if known[path].name != name}
        self._update("name", renamed)
        totals = json.dumps(plain(whole.totals))
        sql = (
            "UPDATE indexed_repositories SET layout = ?, totals = ?, indexed_at_us = ? WHERE id = ?"
        )
        with self._writing() as cursor:
            number = self._number_of_repository(cursor)
            cursor.execute(self._sql(sql), [whole.layout, totals, whole.indexed_at_us, number])

    def _update(self, column: str, values: Mapping[str, str]) -> None:
        if not values:
            return
        sql = f"UPDATE indexed_files SET {column} = ? WHERE repository = ? AND path = ?"
        with self._writing() as cursor:
            number = self._number_of_repository(cursor)
            rows = [(storable(value), number, path) for path, value in sorted(values.items())]
            cursor.executemany(self._sql(sql), rows)

    def _set_trail(self, cursor: Cursor, number: int, trail: str | None) -> None:
        sql = "UPDATE indexed_repositories SET trail = ? WHERE id = ?"
        cursor.execute(self._sql(sql), [trail, number])

    def _delete(self, cursor: Cursor, number: int, paths: Sequence[str]) -> None:
        """Before a file is saved anew, and when it is gone."""
        self._set_trail(cursor, number, None)
        rows = [(number, path) for path in paths]
        for table in _OF_FILES:
            sql = f"DELETE FROM {table} WHERE repository = ? AND path = ?"
            cursor.executemany(self._sql(sql), rows)

    def _number_of_repository(self, cursor: Cursor) -> int:
        if self._number is None:
            insert = "INSERT INTO indexed_repositories (place) VALUES (?) ON CONFLICT DO NOTHING"
            cursor.execute(self._sql(insert), [self._place])
            find = "SELECT id FROM indexed_repositories WHERE place = ?"
            cursor.execute(self._sql(find), [self._place])
            self._number = int(cursor.fetchone()[0])
        return self._number

    def _select_here(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Rows of this repository; its number is the first parameter."""
        if self._number is None:
            found = self._select(
                "SELECT id FROM indexed_repositories WHERE place = ?", [self._place]
            )
            if not found:
                return []
            self._number = int(found[0][0])
        return self._select(sql, [self._number, *values])

    def _select(self, sql: str, values: Sequence[Any]) -> list[Any]:
        with self._journal.driver_cursor(self._connection, writing=False) as cursor:
            cursor.execute(self._sql(sql), values)
            return list(cursor.fetchall())

    def _writing(self) -> AbstractContextManager[Cursor]:
        return self._journal.driver_cursor(self._connection, writing=True)

    def _insert(self, table: str, columns: tuple[str, ...]) -> str:
        marks = ", ".join([self._mark] * len(columns))
        return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"

    def _sql(self, statement: str) -> str:
        return statement.replace("?", self._mark)


def _totals(text: str, journal: Journal) -> IndexTotals:
    from reverie.model.codec import read
    from reverie.model.repository.indexed import IndexTotals

    try:
        return read(IndexTotals, json.loads(text))
    except (ValueError, TypeError, RecursionError) as error:
        reason = f"holds a row nobody wrote: {one_line(error)}"
        raise StoreError(f"the journal {journal.location} {reason}") from error


def _file_row(number: int, file: FileRecord) -> tuple[Any, ...]:
    outline = file.outline
    error = None if outline.error is None else storable(outline.error)
    counts = (outline.loc, outline.functions, outline.methods, outline.classes)
    known = (number, file.path, file.signature, file.content_hash, "")
    return (*known, *counts, error, outline.imports, file.facts)


def _symbol_rows(number: int, file: FileRecord) -> Iterator[tuple[Any, ...]]:
    for position, each in enumerate(file.symbols):
        texts = (each.signature, each.summary, each.words, each.shape)
        start = (number, file.path, position, storable(each.qualname), each.line, each.kind)
        yield (*start, *(storable(text) for text in texts))


def _literally(text: str) -> str:
    """A text without what LIKE reads as a pattern; words hold none of it but `_`."""
    return text.replace("\\", "").replace("%", "").replace("_", "")
