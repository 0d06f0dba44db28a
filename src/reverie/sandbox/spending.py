"""What some executions have cost so far: a budget that a busy machine does not use up."""

import threading
import time

from reverie.model.execution import Execution, Request

PATIENCE = 3.0
"""How many times its CPU time work may take; beyond that it waits or sleeps, and that counts."""
IMPATIENT = 1.0
"""For whom the clock on the wall counts alone."""


class Spending:
    """The CPU time of executions, told to it by `Sandbox.also_telling`. Thread-safe."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._began = time.monotonic()
        self._cpu_seconds = 0.0
        self._lock = threading.Lock()

    def __call__(self, request: Request, execution: Execution) -> None:
        """One more execution is over."""
        with self._lock:
            self._cpu_seconds += execution.usage.cpu_seconds or 0.0

    @property
    def wall_seconds(self) -> float:
        """Time gone by."""
        return time.monotonic() - self._began

    @property
    def seconds(self) -> float:
        """CPU time, or a share of the time gone by where that is more."""
        return max(self._cpu_seconds, self.wall_seconds / self.patience)
