"""What a try cannot choose: the time that it is, and what chance has in store."""

import random
from typing import Any

from .clock import clock

NOON, LATER = 1_736_942_400.0, 2_051_265_600.5
"""A noon in January 2025, and the new year of 2035."""


class Conditions:
    """Time stands still and chance repeats itself, the same for every try."""

    def __init__(self) -> None:
        self.clock: Any = clock
        self.clock.install()
        self.other = False
        """Whether a later day and other chances are in force."""
        self.clock.freeze(NOON)

    def begin(self) -> None:
        """Before a try."""
        self.clock.grant_reads()
        random.seed(int(self.other))

    def change(self, *, other: bool) -> None:
        """Another day, or back to the first."""
        self.other = other
        self.clock.freeze(LATER if other else NOON)
