"""When a module is done: gains equivalent to nothing worth having, or entropy that stands still."""

import ast
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from reverie.scoring.robust import finite

LEAST_SAMPLES = 3
MARGIN_MINUTES = 2.0
PLATEAU = 0.05
CONSECUTIVE = 3
# Student's one-sided 95 % quantiles, by degrees of freedom; beyond them the normal one.
_ONE_SIDED = (
    6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
    1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725,
)  # fmt: skip
_FAR = 1.645


class Completion(StrEnum):
    """Whether a module is worth more dreams."""

    OPEN = "open"
    DIMINISHED = "diminishing returns"
    PLATEAU = "entropy plateau"
    INSUFFICIENT = "insufficient data"

    @property
    def is_complete(self) -> bool:
        """Whether the module is skipped."""
        return self in (Completion.DIMINISHED, Completion.PLATEAU)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One promoted or tried dream of a module: what it gained, and what it did to its entropy."""

    minutes: float | None
    entropy: float | None = None
    """Of the changed syntax, in bits."""


def completion_of(
    attempts: Sequence[Attempt],
    margin_minutes: float = MARGIN_MINUTES,
    plateau: float = PLATEAU,
    consecutive: int = CONSECUTIVE,
) -> Completion:
    """The standing of a module after its dreams, oldest first."""
    gains = finite(each.minutes for each in attempts)
    if len(gains) < LEAST_SAMPLES:
        return Completion.INSUFFICIENT
    if is_nothing(gains, margin_minutes):
        return Completion.DIMINISHED
    if has_plateau(attempts, margin_minutes, plateau, consecutive):
        return Completion.PLATEAU
    return Completion.OPEN


def is_nothing(gains: Sequence[float], margin_minutes: float) -> bool:
    """Two one-sided tests at 95 %: the mean gain lies within the margin of nothing."""
    n = len(gains)
    if n < LEAST_SAMPLES:
        return False
    mean = sum(gains) / n
    error = math.sqrt(sum((each - mean) ** 2 for each in gains) / (n - 1) / n)
    reach = error * (_ONE_SIDED[n - 2] if n - 2 < len(_ONE_SIDED) else _FAR)
    return mean + reach < margin_minutes and mean - reach > -margin_minutes


def has_plateau(
    attempts: Sequence[Attempt], margin_minutes: float, plateau: float, consecutive: int
) -> bool:
    """Whether the last steps of entropy are all small, and gain little per bit."""
    known = [each for each in attempts if each.entropy is not None and each.minutes is not None]
    steps = [
        (abs((after.entropy or 0.0) - (before.entropy or 0.0)), after.minutes or 0.0)
        for before, after in pairwise(known)
    ][-consecutive:]
    if len(steps) < consecutive:
        return False
    total = sum(step for step, _ in steps)
    gained = sum(minutes for _, minutes in steps)
    is_little = gained / total < margin_minutes if total > 0 else gained < margin_minutes
    return all(step <= plateau for step, _ in steps) and is_little


def shannon_entropy(counts: Sequence[int]) -> float:
    """In bits; 0 where there is nothing, or only one kind of thing."""
    total = sum(counts)
    shares = [each / total for each in counts if each > 0] if total else []
    return -sum(share * math.log2(share) for share in shares)


def changed_entropy(before: str, after: str) -> float | None:
    """Entropy over the kinds of syntax that a change adds or removes; None: it does not parse."""
    try:
        old, new = (Counter(_kinds(source)) for source in (before, after))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return shannon_entropy([abs(new[kind] - old[kind]) for kind in {*old, *new}])


def _kinds(source: str) -> list[str]:
    return [type(node).__name__ for node in ast.walk(ast.parse(source))]
