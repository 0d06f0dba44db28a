"""Work that can be stopped from outside: every sandbox it has open is known, and can be ended."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from reverie.errors import Refused

if TYPE_CHECKING:
    from reverie.sandbox.engine import Sandbox


class Lease:
    """The sandboxes of one piece of work. Ended, all of them are closed, and none is opened."""

    def __init__(self) -> None:
        self._open: set[Sandbox] = set()
        self._lock = threading.Lock()
        self.is_over = False

    def end(self) -> None:
        """Close whatever is open; whoever waits for it loses it. Safe from any thread."""
        with self._lock:
            self.is_over = True
            found = tuple(self._open)
        for sandbox in found:
            sandbox.close()

    @contextmanager
    def holding(self, sandbox: "Sandbox") -> Iterator[None]:
        """Know a sandbox while it is open."""
        with self._lock:
            if self.is_over:
                raise Refused("the work was stopped")
            self._open.add(sandbox)
        try:
            yield
        finally:
            with self._lock:
                self._open.discard(sandbox)


_CURRENT: ContextVar[Lease | None] = ContextVar("lease", default=None)


@contextmanager
def leased(lease: Lease) -> Iterator[None]:
    """What is opened inside, in this thread, belongs to the lease."""
    before = _CURRENT.set(lease)
    try:
        yield
    finally:
        _CURRENT.reset(before)


@contextmanager
def held(sandbox: "Sandbox") -> Iterator[None]:
    """Let the lease in force, if there is one, know a sandbox."""
    lease = _CURRENT.get()
    if lease is None:
        yield
        return
    with lease.holding(sandbox):
        yield
