"""How much time is left for a comparison."""

from reverie.sandbox.spending import IMPATIENT, Spending

_GRACE = 3.0
"""What has begun may be finished within this."""


class BudgetSpent(Exception):
    """The time is up, and the grace with it."""


class Deadline:
    """Whether time is left, on the wall or as `spending` counts it."""

    def __init__(self, seconds: float, spending: Spending | None = None) -> None:
        self._seconds = seconds
        self._spending = spending or Spending(IMPATIENT)

    @property
    def is_over(self) -> bool:
        """Whether it is not."""
        return self.left <= 0

    @property
    def left(self) -> float:
        """Seconds; negative when it is over."""
        return self._seconds - self._spending.seconds

    @property
    def spent(self) -> float:
        """Seconds so far."""
        return self._spending.seconds

    @property
    def is_half_over(self) -> bool:
        """Whether it is time to weigh what there is."""
        return self.left <= self._seconds / 2

    def require(self) -> float:
        """How long one more run may take; `BudgetSpent` when even the grace is used up."""
        if self.left <= -_GRACE:
            raise BudgetSpent
        return self._spending.patience * self.left + _GRACE if self.left > 0 else self.left + _GRACE
