"""Stopping the cycle that another process runs on a repository."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def cycle_lock(repository: Path) -> str:
    """What is held while a cycle runs on a repository."""
    return f"cycle {repository.resolve()}"


def stop_cycle(repository: Path) -> int | None:
    """Ask the process that runs a cycle here to end it, as Ctrl-C does; None: none runs.

    What is proven by then is kept, and `reverie run --recover` goes on with the rest.
    """
    from reverie.promotion.scratch import holder_of

    number = holder_of(cycle_lock(repository))
    if number is not None:
        os.kill(number, signal.SIGTERM)
    return number


@contextmanager
def ended_by_request() -> Iterator[None]:
    """Let SIGTERM end what is inside as Ctrl-C does: it comes from `stop`, systemd or cron.

    Not SIGINT, which shells have background processes ignore.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals, and it is somebody else's
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)
