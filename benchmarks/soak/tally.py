"""What the soak has seen so far: counts, and the first few objections in words."""

import threading
from collections import Counter
from dataclasses import dataclass, field

from benchmarks.soak.job import Job
from reverie.model.execution import Execution

_KEPT = 20


@dataclass(slots=True)
class Tally:
    """Safe to be told from several threads; bounded, whatever goes wrong."""

    good: int = 0
    hostile: int = 0
    misjudged_good: int = 0
    implausible_hostile: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    objections: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def executions(self) -> int:
        """How many have come to their end."""
        return self.good + self.hostile

    def add(self, job: Job, execution: Execution) -> None:
        """One execution has come to its end."""
        objection = job.objection(execution)
        with self.lock:
            if job.is_hostile:
                self.hostile += 1
                self.outcomes[job.kind, execution.outcome.value] += 1
                self.implausible_hostile += objection is not None
            else:
                self.good += 1
                self.misjudged_good += objection is not None
            if objection is not None and len(self.objections) < _KEPT:
                self.objections.append(f"{job.kind}: {objection}")

    def failed(self, condition: str) -> None:
        """A condition of the soak does not hold."""
        with self.lock:
            if len(self.conditions) < _KEPT:
                self.conditions.append(condition)

    @property
    def is_clean(self) -> bool:
        """Whether nothing at all went wrong."""
        return not (self.misjudged_good or self.implausible_hostile or self.conditions)
