"""A database as the journal needs it: its protocol, its marks, and the place that a URL names.

The SQL that both databases speak is not here. The marks are names and the schema version, and
what to do about another one.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from reverie.errors import ConfigError, StoreError

SCHEMA_VERSION = "0017"
"""The newest migration; a test holds it to the newest file in `migrations/versions`."""

VERSION_TABLE = "schema_version"
POSTGRES_SCHEMA = "reverie"
SQLITE_APPLICATION_ID = 0x52657672  # "Revr": tells our file from anybody else's SQLite file


def refuse_unknown_version(version: str, location: str) -> None:
    """Raise when the journal is newer than this Reverie, or has no version we ever wrote."""
    if not version.isdigit():
        raise StoreError(f"the journal {location} has an unknown schema version {version!r}")
    if int(version) > int(SCHEMA_VERSION):
        raise StoreError(
            f"the journal {location} was written by a newer Reverie (schema {version}, this one "
            f"knows {SCHEMA_VERSION}): upgrade Reverie; nothing was changed"
        )


class Cursor(Protocol):
    """The part of a DB-API cursor that is used here."""

    @property
    def rowcount(self) -> int:
        """Rows the last statement changed, all of them together after `executemany`."""
        ...

    def execute(self, statement: str, parameters: Sequence[Any] = ..., /) -> Any:
        """Run one statement."""
        ...

    def executemany(self, statement: str, parameters: Iterable[Sequence[Any]], /) -> Any:
        """Run one statement per row of parameters."""
        ...

    def fetchone(self) -> Any:
        """The next row, or None."""
        ...

    def fetchall(self) -> Sequence[Any]:
        """All rows that are left."""
        ...


class Connection(Protocol):
    """The part of a DB-API connection that is used here."""

    def cursor(self) -> Cursor:
        """A new cursor."""
        ...

    def commit(self) -> None:
        """Make the transaction last."""
        ...

    def rollback(self) -> None:
        """Forget the transaction."""
        ...

    def close(self) -> None:
        """Give the connection back."""
        ...


class Backend(Protocol):
    """One place a journal can live."""

    @property
    def location(self) -> str:
        """Where it is, fit to print: never a password."""
        ...

    @property
    def dialect(self) -> str:
        """SQLAlchemy's name for database and driver."""
        ...

    @property
    def placeholder(self) -> str:
        """How the driver marks a parameter."""
        ...

    @property
    def greatest(self) -> str:
        """The SQL function for the larger of two values."""
        ...

    @property
    def least(self) -> str:
        """The SQL function for the smaller of two values."""
        ...

    @property
    def begin_batch(self) -> str | None:
        """Opens a transaction that only adds; None where the driver does it."""
        ...

    @property
    def begin_writing(self) -> str:
        """Opens a transaction that may read first: one at a time, over all processes."""
        ...

    @property
    def begin_reading(self) -> str:
        """Makes all reads of a transaction see one moment."""
        ...

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises when the database fails."""
        ...

    def connect(self) -> Connection:
        """A connection for one thread at a time. Raises `StoreError` when there is none."""
        ...

    def installed_version(self) -> str | None:
        """Schema version found there; None when there is no journal yet. Changes nothing."""
        ...

    def prepare(self) -> None:
        """Make the place where the first migration can create its tables."""
        ...

    def lock_migrations(self) -> str:
        """The statement after which no other process migrates until the transaction ends."""
        ...

    def describe(self, error: BaseException) -> str:
        """The error on one line, fit to print: never a password."""
        ...


JOURNAL_FOLDER = ".reverie"
JOURNAL_FILE = "journal.db"

_SQLITE = "sqlite:///"
_POSTGRES = ("postgres://", "postgresql://", "postgresql+psycopg://")


def journal_url(repository: Path) -> str:
    """The URL of the journal that lives inside a repository."""
    return _SQLITE + str(repository.resolve() / JOURNAL_FOLDER / JOURNAL_FILE)


def backend_for(url: str) -> Backend:
    """The backend that a journal URL names.

    What follows `sqlite:///` is a path, taken literally. Only the scheme of a URL is ever
    repeated in an error: the rest may hold a password.
    """
    if url.startswith(_SQLITE) and url.removeprefix(_SQLITE) not in ("", ":memory:"):
        from reverie.store.database.sqlite import SqliteBackend

        return SqliteBackend(Path(url.removeprefix(_SQLITE)))
    if url.startswith(_POSTGRES):
        from reverie.store.database.postgres import PostgresBackend

        return PostgresBackend("postgresql://" + url.partition("://")[2])
    scheme = url.partition("://")[0] if "://" in url else ""
    raise ConfigError(
        f"a journal URL starts with sqlite:///PATH, postgresql:// or postgres://, not {scheme!r}"
    )
