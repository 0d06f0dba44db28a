"""Records executions without making them wait for the database.

A call copies what is kept into a buffer and returns; one thread writes batches. Whoever
needs to know that an execution is safe calls `flush`.
"""

import os
import threading
import weakref
from types import TracebackType
from typing import Self

from reverie.errors import StoreError
from reverie.model.execution import Execution, Request
from reverie.store.entries import make_entry
from reverie.store.journal import Journal
from reverie.store.mailbox import Mailbox, RecorderSettings
from reverie.store.writer import BatchWriter

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
