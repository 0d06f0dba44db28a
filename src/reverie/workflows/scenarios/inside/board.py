"""What happened during one stressed step: which faults fired, and what did harm."""

import random
import threading
from typing import Any


class Board:
    """Counts, from any thread."""

    def __init__(self, order: "dict[str, Any]") -> None:
        self.seed = order["seed"]
        self.lock = threading.Lock()
        self.fired: dict[str, int] = {}
        self.harm: list[str] = []
        self.exchanges = 0
        """Requests to an upstream in this step."""
        self.records = 0
        """Records that came into this step."""
        self.first_exchange = order["first_exchange"]
        self.first_record = order["first_record"]

    def fire(self, fault: str, times: int = 1) -> None:
        """A fault really happened; not at all is no time."""
        if times > 0:
            with self.lock:
                self.fired[fault] = self.fired.get(fault, 0) + times

    def blame(self, what: str) -> None:
        """The step did something that it never should."""
        with self.lock:
            if what not in self.harm and len(self.harm) < 20:
                self.harm.append(what[:300])

    def next_exchange(self) -> int:
        """The number of an exchange, counted over all runs of the scenario."""
        with self.lock:
            self.exchanges += 1
            return int(self.first_exchange + self.exchanges - 1)

    def next_record(self) -> int:
        """The number of a record, counted over all runs of the scenario."""
        with self.lock:
            self.records += 1
            return int(self.first_record + self.records - 1)

    def is_due(self, fault: str, number: int, every: int) -> bool:
        """Whether this is the one of its block of `every` that a fault falls on."""
        if every < 1:
            return False
        dice = random.Random(f"{self.seed}:{fault}:{number // every}")
        return int(dice.random() * every) == number % every
