"""What some executions have cost so far: a budget that a busy machine does not use up."""

import threading
import time
from pathlib import Path

from reverie.model.execution import Execution, Request

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
