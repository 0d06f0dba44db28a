"""How much time is left for a comparison."""

import time

_GRACE = 3.0
"""What has begun may be finished within this."""


class BudgetSpent(Exception):
    """The time is up, and the grace with it."""


class Deadline:
    """Whether time is left."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether it is not."""
        return self.left <= 0

    @property
    def left(self) -> float:
        """Seconds; negative when it is over."""
        return self._end - time.monotonic()

    def require(self) -> float:
        """Seconds that one more run may take; `BudgetSpent` when even the grace is used up."""
        if self.left <= -_GRACE:
            raise BudgetSpent
        return self.left + _GRACE
