"""What the supervisor saw of executions, and what they cost: observation, memory ledger, budget.

An observation is made from outside, before anybody judges it. The ledger estimates how much memory
the answers of one call may take, before they are parsed: a JSON text of a few bytes can become an
object of a hundred, so an answer within its limit is harmless alone, and a thousand of them are
not. Spending is a budget that a busy machine does not use up.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from reverie.model.execution import Execution, Request


class Ending(StrEnum):
    """How it came to an end, as seen from outside."""

    ANSWERED = "answered"  # a complete answer came over the channel
    SILENT = "silent"  # the process ended without one
    WALL = "wall"  # we stopped it at the wall-time limit
    GARBLED = "garbled"  # what came over the channel is no answer


@dataclass(frozen=True, slots=True)
class Observation:
    """Facts from outside, and the execution's own claim beside them."""

    ending: Ending
    wall_seconds: float
    claim: Mapping[str, Any] | None = None
    garble: str | None = None
    wait_status: int | None = None
    cpu_seconds: float | None = None
    peak_rss_bytes: int | None = None
    memory_exceeded: bool = False
    oom_killed: bool = False
    stdout: bytes = b""
    stderr: bytes = b""
    output_full: bool = False
    changes: tuple[tuple[str, str], ...] = field(default=())
    changes_complete: bool = True


_ROOM_PER_RESULT_BYTE = 64
"""No text grows by as much, so one answer of the largest size always fits."""
_WEIGHTS = {b",": 36, b"[": 72, b"{": 72, b":": 150, b'"': 25}
"""Bytes of the objects that follow each mark, as CPython stores them, rounded up."""


class Ledger:
    """Room for the answers of one call, shared by all exchanges that it takes. Thread-safe."""

    def __init__(self, result_bytes: int) -> None:
        self._room = result_bytes * _ROOM_PER_RESULT_BYTE
        self._lock = threading.Lock()

    def take(self, count: int) -> bool:
        """Take some bytes; False when there is no room for them, and nothing is taken."""
        with self._lock:
            if count > self._room:
                return False
            self._room -= count
            return True

    def give_back(self, count: int) -> None:
        """What was taken by an exchange that is repeated."""
        with self._lock:
            self._room += count


def memory_of(answer: bytes) -> int:
    """About as many bytes as the parsed answer takes; never much less."""
    return len(answer) + sum(answer.count(mark) * weight for mark, weight in _WEIGHTS.items())


PATIENCE = 3.0
"""How many times its CPU time work may take; beyond that it waits or sleeps, and that counts."""
_CROWDED = 4.0
"""How many times that, where others want the same processors all the time."""
_PRESSURE = Path("/proc/pressure/cpu")
IMPATIENT = 1.0
"""For whom the clock on the wall counts alone."""


class Spending:
    """The CPU time of executions, told to it by `Sandbox.also_telling`. Thread-safe."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._began = time.monotonic()
        self._stalled = _stalled_seconds()
        self._cpu_seconds = 0.0
        self._lock = threading.Lock()

    def __call__(self, request: Request, execution: Execution) -> None:
        """One more execution is over."""
        with self._lock:
            self._cpu_seconds += execution.usage.cpu_seconds or 0.0

    @property
    def patience(self) -> float:
        """How many times its CPU time work may take here: more where the machine is crowded."""
        if self._patience <= IMPATIENT:
            return self._patience
        waited = (_stalled_seconds() - self._stalled) / max(self.wall_seconds, 1e-3)
        return self._patience * (1 + (_CROWDED - 1) * min(1.0, max(0.0, waited)))

    @property
    def wall_seconds(self) -> float:
        """Time gone by."""
        return time.monotonic() - self._began

    @property
    def seconds(self) -> float:
        """CPU time, or a share of the time gone by where that is more."""
        return max(self._cpu_seconds, self.wall_seconds / self.patience)


def _stalled_seconds() -> float:
    """How long something on this machine has waited for a processor; 0 where nobody counts it."""
    try:
        first = _PRESSURE.read_text("ascii").partition("\n")[0]
        return int(first.rpartition("total=")[2]) / 1e6
    except (OSError, ValueError):
        return 0.0
