"""How far a measure may move from one run to the next before a claim counts as not reproduced."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase


class Direction(StrEnum):
    """Which way of moving contradicts a claim."""

    BOTH = "both"
    WORSE_IF_LOWER = "lower"
    NEITHER = "neither"
    """Told, and never compared: how long it took, on whatever machine."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The larger of the two counts."""

    direction: Direction = Direction.BOTH
    absolute: float = 0.0
    relative: float = 0.0

    def allows(self, claimed: float, measured: float) -> bool:
        """Whether the second run agrees with the claim of the first."""
        if self.direction is Direction.NEITHER:
            return True
        if not (math.isfinite(claimed) and math.isfinite(measured)):
            return claimed == measured or (math.isnan(claimed) and math.isnan(measured))
        room = max(self.absolute, self.relative * abs(claimed))
        if self.direction is Direction.WORSE_IF_LOWER:
            return measured >= claimed - room
        return abs(measured - claimed) <= room


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One measure that did not come out as claimed. `measured`: None when it was not taken."""

    measure: str
    claimed: float
    measured: float | None
    tolerance: Tolerance


_EXACT = Tolerance()
# The first pattern that fits decides. Counts of tests are exact. A mutant or a branch may fall the
# other way where time decides (a timeout), so shares and counts of those have a little room.
_RULES: tuple[tuple[str, Tolerance], ...] = (
    ("executions", Tolerance(Direction.NEITHER)),
    ("*.executions", Tolerance(Direction.NEITHER)),
    ("*seconds*", Tolerance(Direction.NEITHER)),
    ("*minutes*", Tolerance(Direction.NEITHER)),
    ("*_ms*", Tolerance(Direction.NEITHER)),
    ("*per_second*", Tolerance(Direction.NEITHER)),
    ("*speed*", Tolerance(Direction.WORSE_IF_LOWER, relative=0.2)),
    ("*memory*", Tolerance(relative=0.2)),
    ("*bytes*", Tolerance(relative=0.2)),
    ("*growth*", Tolerance(absolute=0.3)),
    ("tests.*", _EXACT),
    ("*score*", Tolerance(absolute=0.02)),
    ("*mutants*", Tolerance(absolute=1.0, relative=0.02)),
    ("*coverage*", Tolerance(absolute=0.005)),
)


def tolerance_of(measure: str) -> Tolerance:
    """How far a measure may move, by its name; exact where no rule says otherwise."""
    return next((given for pattern, given in _RULES if fnmatchcase(measure, pattern)), _EXACT)


def compare(
    claimed: Mapping[str, float],
    measured: Mapping[str, float],
    tolerances: Mapping[str, Tolerance],
) -> Iterator[Mismatch]:
    """Every claim that a second run does not bear out."""
    for name, value in claimed.items():
        allowed = tolerances.get(name, _EXACT)
        again = measured.get(name)
        is_compared = allowed.direction is not Direction.NEITHER
        if is_compared and (again is None or not allowed.allows(value, again)):
            yield Mismatch(name, value, again, allowed)
