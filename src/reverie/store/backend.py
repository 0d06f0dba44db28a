"""What the journal needs from a database, beside the SQL that both speak."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol


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
