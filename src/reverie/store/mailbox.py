"""The bounded buffer between those who record and the thread that writes.

Entries stay in it until they are committed. A write that failed therefore loses nothing: its
error is kept for the next caller, and once somebody has seen it, or asks for a flush, the write
is tried again.
"""

import threading
import time
from dataclasses import dataclass

from reverie.errors import ConfigError, StoreError, UsageError
from reverie.store.entries import Entry

WAITING_CHARACTERS = 64 << 20
"""Source text that may wait in the buffer before callers have to."""


@dataclass(frozen=True, slots=True)
class RecorderSettings:
    """How executions get from memory into the journal."""

    batch_rows: int = 1000
    """Written together, in one transaction."""
    flush_seconds: float = 0.5
    """An execution waits no longer than this for its batch to fill."""
    buffer_rows: int = 10_000
    """Executions that may wait before whoever records another one has to wait as well."""
    keep_source: bool = True
    """Whether the source that was executed is kept, once per hash."""

    def __post_init__(self) -> None:
        if not 1 <= self.batch_rows <= self.buffer_rows:
            raise ConfigError(
                f"batch_rows must be from 1 to buffer_rows ({self.buffer_rows}), "
                f"not {self.batch_rows}"
            )
        if not 0 <= self.flush_seconds <= 3600:
            raise ConfigError(f"flush_seconds must be from 0 to 3600, not {self.flush_seconds}")


class Mailbox:
    """Entries on their way. Any thread puts; one thread takes."""

    def __init__(self, settings: RecorderSettings) -> None:
        self._settings = settings
        # Reentrant: a garbage collection inside it may close a forgotten recorder.
        self._changed = threading.Condition(threading.RLock())
        self._entries: list[Entry] = []
        self._characters = 0
        self._oldest = 0.0
        self._put = 0
        self._committed = 0
        self._urgent = 0
        self._error: StoreError | None = None
        self._taker: int | None = None
        self._is_closing = False
        self._is_stopped = False
        self._is_abandoned = False

    def put(self, entry: Entry) -> None:
        """Add an entry; wait while the mailbox is full.

        An error from before is raised once the entry is in, or instead when there is no room.
        """
        with self._changed:
            self._refuse_when_closing()
            while self._is_full():
                self._raise_error()
                self._changed.wait()
                self._refuse_when_closing()
            self._entries.append(entry)
            self._put += 1
            self._characters += entry.characters
            waiting = len(self._entries)
            if waiting == 1:
                self._oldest = time.monotonic()
            if waiting == 1 or waiting == self._settings.batch_rows or self._is_full():
                self._changed.notify_all()
            self._raise_error()

    def flush(self) -> None:
        """Return when everything put so far is committed; a write that failed is tried again."""
        with self._changed:
            self._error = None
            self._await_commit(self._put)

    def close(self) -> None:
        """Accept nothing more; commit the rest, or say how much could not be."""
        with self._changed:
            self._is_closing = True
            if self._is_stopped or self._taker == threading.get_ident():
                return  # the taker itself collected a forgotten recorder; it will finish
            self._error = None
            try:
                self._await_commit(self._put)
            finally:
                self._is_stopped = True
                self._changed.notify_all()

    def take(self) -> list[Entry] | None:
        """The next batch, when it is due; None when there will be no more."""
        with self._changed:
            self._taker = threading.get_ident()
            while not self._is_due():
                if self._is_stopped or (self._is_closing and not self._entries):
                    return None
                self._changed.wait(self._seconds_until_due())
            return self._entries[: self._settings.batch_rows]

    def committed(self, batch: list[Entry]) -> None:
        """The batch is safe: make room."""
        with self._changed:
            del self._entries[: len(batch)]
            self._characters -= sum(entry.characters for entry in batch)
            self._committed += len(batch)
            self._oldest = time.monotonic()
            self._changed.notify_all()

    def failed(self, error: StoreError) -> None:
        """The batch was not written: it stays, and the next caller learns why."""
        with self._changed:
            self._error = error
            self._changed.notify_all()

    def abandoned(self) -> None:
        """Nobody takes any more, because of a fault of ours."""
        with self._changed:
            self._is_abandoned = True
            self._changed.notify_all()

    def _await_commit(self, count: int) -> None:
        self._urgent = max(self._urgent, count)
        self._changed.notify_all()
        while self._committed < count:
            self._raise_error()
            self._changed.wait()

    def _refuse_when_closing(self) -> None:
        if self._is_closing:
            raise UsageError("the recorder is closed: this execution was not recorded")

    def _raise_error(self) -> None:
        if self._is_abandoned:
            lost = len(self._entries)
            raise StoreError(f"the recorder's thread has died; {lost} executions are not recorded")
        if self._error is not None:
            error, self._error = self._error, None
            waiting = len(self._entries)
            raise StoreError(f"{error} ({waiting} executions are not recorded yet)") from error

    def _is_full(self) -> bool:
        is_heavy = self._characters >= WAITING_CHARACTERS
        return is_heavy or len(self._entries) >= self._settings.buffer_rows

    def _is_due(self) -> bool:
        if not self._entries or self._error is not None or self._is_stopped:
            return False
        is_urgent = self._is_closing or self._urgent > self._committed
        is_large = len(self._entries) >= self._settings.batch_rows or self._is_full()
        return is_urgent or is_large or self._age() >= self._settings.flush_seconds

    def _age(self) -> float:
        return time.monotonic() - self._oldest

    def _seconds_until_due(self) -> float | None:
        if not self._entries or self._error is not None:
            return None
        return max(self._settings.flush_seconds - self._age(), 0.0)
