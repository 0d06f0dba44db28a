"""Records executions without making them wait for the database.

A call copies what is kept into a bounded buffer, the mailbox, and returns; one thread writes
batches. Whoever needs to know that an execution is safe calls `flush`.

Entries stay in the mailbox until they are committed. A write that failed therefore loses nothing:
its error is kept for the next caller, and once somebody has seen it, or asks for a flush, the
write is tried again.
"""

import os
import threading
import time
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from reverie.errors import ConfigError, StoreError, UsageError
from reverie.model.execution import Execution, Request
from reverie.store.journal import Journal
from reverie.store.writer import BatchWriter, Entry, make_entry

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


__all__ = ["ExecutionRecorder", "RecorderSettings"]


class ExecutionRecorder:
    """Call it with every finished execution. Safe from any number of threads.

    An error of the writing thread is raised, as `StoreError`, by the next call, `flush` or
    `close`. A recorder that is dropped, or alive when the interpreter ends, is closed.
    """

    def __init__(self, journal: Journal, settings: RecorderSettings | None = None) -> None:
        self._journal = journal
        self._settings = settings or RecorderSettings()
        self._set_up()
        _LIVING.add(self)

    def _set_up(self) -> None:
        self._start_lock = threading.Lock()
        self._mailbox = Mailbox(self._settings)
        self._writer = BatchWriter(self._journal.backend)
        self._thread: threading.Thread | None = None
        self._closing = weakref.finalize(self, self._mailbox.close)

    def __call__(self, request: Request, execution: Execution) -> None:
        """Record one execution; it is committed soon, or at the next `flush`."""
        with_code = self._settings.keep_source and not self._writer.has_code(execution.code_hash)
        entry = make_entry(request, execution, with_code=with_code)
        if self._thread is None:
            self._start()
        self._mailbox.put(entry)

    def flush(self) -> None:
        """Return when everything recorded so far is committed."""
        self._mailbox.flush()

    def close(self) -> None:
        """Commit what is left and stop. Closing twice is closing once."""
        self._closing.detach()
        self._mailbox.close()
        if self._thread is not None:
            self._thread.join()

    def _start(self) -> None:
        with self._start_lock:
            if self._thread is None:
                # The thread knows the mailbox, not the recorder, which can then be collected.
                self._thread = threading.Thread(
                    target=_write_batches,
                    args=(self._mailbox, self._writer),
                    name="reverie-recorder",
                    daemon=True,
                )
                self._thread.start()

    def _begin_again_in_child(self) -> None:
        """After a fork: what waits is the parent's to write, and its thread is not here."""
        if self._closing.detach() is not None:  # None: it was closed before
            self._set_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _write_batches(mailbox: Mailbox, writer: BatchWriter) -> None:
    is_done = False
    try:
        while (batch := mailbox.take()) is not None:
            try:
                writer.write(batch)
            except StoreError as error:
                mailbox.failed(error)
            else:
                mailbox.committed(batch)
        is_done = True
    finally:
        writer.disconnect()
        if not is_done:
            mailbox.abandoned()


_LIVING: weakref.WeakSet[ExecutionRecorder] = weakref.WeakSet()
_FORKING = threading.local()


def _before_fork() -> None:
    """No connection may be open: SQLite in the child would believe in locks it does not hold."""
    _FORKING.paused = [recorder._writer for recorder in _LIVING]
    for writer in _FORKING.paused:
        writer.pause()


def _after_fork_in_parent() -> None:
    for writer in _FORKING.paused:
        writer.resume()
    _FORKING.paused = []


def _after_fork_in_child() -> None:
    _FORKING.paused = []
    for recorder in list(_LIVING):
        recorder._begin_again_in_child()


os.register_at_fork(
    before=_before_fork,
    after_in_parent=_after_fork_in_parent,
    after_in_child=_after_fork_in_child,
)
