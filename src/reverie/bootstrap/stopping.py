"""Stopping the cycle that another process runs on a repository."""

from __future__ import annotations

import os
import signal
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
        os.kill(number, signal.SIGINT)
    return number
