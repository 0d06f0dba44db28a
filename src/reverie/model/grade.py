"""How good a piece of code is, in one word."""

from enum import StrEnum


class Grade(StrEnum):
    """How good, best first."""

    EXCELLENT = "excellent"
    GOOD = "good"
    ACCEPTABLE = "acceptable"
    NEEDS_WORK = "needs_work"
    REJECT = "reject"

    @property
    def points(self) -> int:
        """4 for the best, 0 for the worst."""
        return len(Grade) - 1 - list(Grade).index(self)
