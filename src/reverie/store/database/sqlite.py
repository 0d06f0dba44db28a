"""The journal as one SQLite file beside the repository.

Write-ahead log, so that readers and a writer do not wait for each other. Writers begin with
`BEGIN IMMEDIATE`: a transaction that reads first and asks for the write lock later is
refused at once when somebody else wrote in between, whatever the time-out.
"""

import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import NoJournal, StoreError
from reverie.home.own_folder import make_own_folder
from reverie.store.database.backend import SQLITE_APPLICATION_ID, VERSION_TABLE, Connection
from reverie.store.scalars import one_line

BUSY_SECONDS = 30.0
_RETRY_SECONDS = 0.01
_PRAGMAS = (
    # Survives the death of the process; the last commits may be lost with the power.
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    # A journal may come with somebody else's repository: its schema runs no functions.
    "PRAGMA trusted_schema = OFF",
    # KiB. The inner pages of all indexes of some million rows.
    "PRAGMA cache_size = -16384",
)


@dataclass(frozen=True, slots=True)
class SqliteBackend:
    """A SQLite file."""

    path: Path
    busy_seconds: float = BUSY_SECONDS
    """How long to wait for another writer."""
    dialect: str = "sqlite"
    placeholder: str = "?"
    greatest: str = "max"
    least: str = "min"
    begin_batch: str | None = "BEGIN IMMEDIATE"
    begin_writing: str = "BEGIN IMMEDIATE"
    begin_reading: str = "BEGIN"
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)

    @property
    def location(self) -> str:
        """The path of the file."""
        return one_line(self.path)

    def connect(self) -> Connection:
        """A connection that leaves transactions to the caller and waits for busy writers."""
        return self._connect()

    def installed_version(self) -> str | None:
        """Schema version of the file; None when it is absent or empty."""
        if not self.path.exists():
            return None
        connection = self._connect()
        try:
            return self._read_version(connection)
        except sqlite3.Error as error:
            raise self._failure(error) from error
        finally:
            connection.close()

    def prepare(self) -> None:
        """Make the folder, unseen by git, and the file, with its write-ahead log."""
        self._make_folder()
        connection = self._connect()
        try:
            _switch_to_write_ahead_log(connection)
        except sqlite3.Error as error:
            raise self._failure(error) from error
        finally:
            connection.close()

    def lock_migrations(self) -> str:
        """The write lock of the file."""
        return "BEGIN IMMEDIATE"

    def describe(self, error: BaseException) -> str:
        """SQLite's own words."""
        return one_line(error)

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self.path, timeout=self.busy_seconds, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise self._failure(error) from error
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
        except sqlite3.Error as error:
            connection.close()
            raise self._failure(error) from error
        return connection

    def _read_version(self, connection: sqlite3.Connection) -> str | None:
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application_id == 0 and objects == 0:
            return None
        if application_id != SQLITE_APPLICATION_ID:
            raise NoJournal(f"{self.location} is a SQLite database, but not a Reverie journal")
        row = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
        if row is None:
            raise StoreError(f"the journal {self.location} has lost its schema version")
        return str(row[0])

    def _make_folder(self) -> None:
        try:
            make_own_folder(self.path.parent)
        except OSError as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> StoreError:
        told = f"the journal {self.location} cannot be used: {one_line(error)}"
        if self.path.is_dir():
            return NoJournal(f"{self.location} is a folder, and no journal")
        is_other = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB
        return NoJournal(told) if is_other else StoreError(told)


def _switch_to_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Retry by hand: SQLite does not wait for a lock when it changes the journal mode."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not is_busy or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return
