"""What became of every check, in memory that a parent and its forks share."""

import mmap
from collections.abc import Sequence

_HELD, _BROKEN = 1, 2


class Board:
    """A byte for every check, shared by a parent and its child."""

    def __init__(self, checks: int) -> None:
        self._memory = mmap.mmap(-1, checks + 1)
        self.checks = checks

    def clear(self) -> None:
        """Nothing was run."""
        self._memory[: self.checks] = bytes(self.checks)

    def begin(self, checks: "Sequence[int]") -> None:
        """These count as broken until they hold."""
        for check in checks:
            self._memory[check] = _BROKEN

    def hold(self, check: int) -> None:
        """A check held."""
        self._memory[check] = _HELD

    def is_broken(self, checks: "Sequence[int]") -> bool:
        """Whether any of these did not hold."""
        return any(self._memory[check] == _BROKEN for check in checks)

    def broken(self) -> "list[int]":
        """The checks that were begun and did not hold."""
        return [check for check in range(self.checks) if self._memory[check] == _BROKEN]

    def held_of(self, checks: "Sequence[int]") -> "set[int]":
        """Those of these checks that held."""
        return {check for check in checks if self._memory[check] == _HELD}

    def held(self) -> "set[int]":
        """The checks that held."""
        return {check for check in range(self.checks) if self._memory[check] == _HELD}
