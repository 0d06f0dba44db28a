"""An open journal: where it is, how to read and write it, and how to give space back."""

import os
import threading
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from reverie.errors import StoreError, UsageError
from reverie.store.database.backend import (
    SCHEMA_VERSION,
    Backend,
    Cursor,
    backend_for,
    refuse_unknown_version,
)
from reverie.store.database.backend import Connection as DriverConnection

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


class Journal:
    """The store of everything that happened. Any number of processes may have it open."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._engine: Engine | None = None
        self._engine_pid = 0
        self._making_engine = threading.Lock()
        self._is_pooled = backend.dialect != "sqlite"

    @classmethod
    def open(cls, url: str, *, create: bool = True) -> Self:
        """Open the journal at `url`, made or brought up to date where needed.

        With `create=False` a journal that is not there is a `UsageError`, and nothing is made.
        """
        backend = backend_for(url)
        version = backend.installed_version()
        if version is None and not create:
            raise UsageError(f"there is no journal at {backend.location}")
        if version is not None:
            refuse_unknown_version(version, backend.location)
        if version != SCHEMA_VERSION:
            from reverie.store.database.migrate import upgrade

            upgrade(backend)
        return cls(backend)

    @classmethod
    def find(cls, url: str) -> Self | None:
        """The journal at `url`; None when there is none yet, and nothing is made."""
        return None if backend_for(url).installed_version() is None else cls.open(url)

    def pooled(self) -> Self:
        """Keep connections, and what they have read, between one read and the next.

        For a server that is asked often; before its first read.
        """
        self._is_pooled = True
        return self

    @property
    def location(self) -> str:
        """Where it is, fit to print: never a password."""
        return self.backend.location

    def __repr__(self) -> str:
        return f"Journal({self.location!r})"

    def reading(self) -> "AbstractContextManager[Connection]":
        """A connection on which all reads see the same moment."""
        return self._transaction(self.backend.begin_reading, "read")

    def writing(self) -> "AbstractContextManager[Connection]":
        """A connection whose changes are committed together at the end, or not at all.

        Such transactions run one after another over all processes, so what one reads is still
        true when it writes.
        """
        return self._transaction(self.backend.begin_writing, "written")

    @contextmanager
    def driver_connection(self) -> Generator[DriverConnection]:
        """A connection of the driver itself, closed at the end: SQLAlchemy is not loaded for it."""
        connection = self.backend.connect()
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def driver_cursor(
        self, held: DriverConnection | None = None, *, writing: bool
    ) -> Generator[Cursor]:
        """A cursor of the driver in one transaction, on a connection held or opened for it."""
        backend = self.backend
        with self.driver_connection() if held is None else nullcontext(held) as connection:
            try:
                cursor = connection.cursor()
                cursor.execute(backend.begin_writing if writing else backend.begin_reading)
                yield cursor
                connection.commit()
            except backend.errors as error:
                reason, what = backend.describe(error), "written" if writing else "read"
                raise StoreError(
                    f"the journal {self.location} cannot be {what}: {reason}"
                ) from None
            finally:
                connection.rollback()  # after a commit there is nothing to forget

    @contextmanager
    def _transaction(self, begin: str, what: str) -> "Generator[Connection]":
        from sqlalchemy.exc import DBAPIError, TimeoutError

        try:
            with self._connectable().connect() as connection:
                connection.exec_driver_sql(begin)
                yield connection
                connection.commit()
        except (DBAPIError, TimeoutError) as error:  # the second: no connection came free
            reason = self.backend.describe(getattr(error, "orig", None) or error)
            raise StoreError(f"the journal {self.location} cannot be {what}: {reason}") from None

    def _connectable(self) -> "Engine":
        with self._making_engine:
            if self._engine is not None and self._engine_pid != os.getpid():
                self._engine.dispose(close=False)  # we are a fork: they are our parent's
                self._engine = None
            if self._engine is None:
                self._engine = self._make_engine()
                self._engine_pid = os.getpid()
            return self._engine

    def _make_engine(self) -> "Engine":
        from sqlalchemy import NullPool, QueuePool, create_engine

        url, connect = f"{self.backend.dialect}://", self.backend.connect
        if self.backend.dialect != "sqlite":
            return create_engine(url, creator=connect, poolclass=QueuePool, pool_pre_ping=True)
        from reverie.store.database.engine import keep_hints, require_same_file
        from reverie.store.database.sqlite import SqliteBackend

        # No pool, usually: opening a file costs less than keeping one open safely over forks.
        pool = QueuePool if self._is_pooled else NullPool
        engine = create_engine(url, creator=connect, poolclass=pool)
        keep_hints(engine)
        if self._is_pooled and isinstance(self.backend, SqliteBackend):
            require_same_file(engine, self.backend.path)
        return engine

    def close(self) -> None:
        """Give every connection back."""
        if self._engine is not None:
            self._engine.dispose(close=self._engine_pid == os.getpid())
            self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes that a journal takes."""

    before: int | None
    after: int | None


def vacuum(journal: Journal) -> Size:
    """Rewrite the journal without its gaps; others wait meanwhile."""
    before = size_of(journal)
    statements: tuple[str, ...] = ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
    with journal.driver_connection() as connection:
        if journal.backend.dialect != "sqlite":
            statements = ("VACUUM (ANALYZE)",)
            connection.autocommit = True  # type: ignore[attr-defined]
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
    return Size(before, size_of(journal))


def size_of(journal: Journal) -> int | None:
    """Of the file with its log, or of the tables on a server."""
    if journal.backend.dialect == "sqlite":
        path = Path(journal.backend.location)
        parts = [path, path.with_name(path.name + "-wal")]
        return sum(part.stat().st_size for part in parts if part.exists())
    query = (
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class "
        "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
    )
    with journal.driver_cursor(writing=False) as cursor:
        cursor.execute(query)
        row = cursor.fetchone()
    return None if row is None or row[0] is None else int(row[0])
