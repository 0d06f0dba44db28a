"""A population of variants of one callable: who came from whom, by what change, and how fast."""

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from reverie.model.measurements.attempts import Optimisation


class Fate(StrEnum):
    """How far a variant came. Only `proven` is more than a rough look."""

    BORN = "born"
    FAILED = "failed"
    """It did not get through the race."""
    DIFFERENT = "different"
    """It gave other answers in the race."""
    SLOWER = "slower"
    """The same answers, and dropped early: no gain to be seen."""
    ALIVE = "alive"
    """The same answers in the race, in less time."""
    REFUTED = "refuted"
    """A trial found an input on which it behaves otherwise."""
    HELD = "held"
    """A trial did not prove it."""
    PROVEN = "proven"


@dataclass(frozen=True, slots=True)
class Niche:
    """A cell of the archive: how fast, how long and by which means."""

    speed: int
    """Doublings of the speed, rounded down."""
    size: int
    """-1: shorter than the original; 0: as long; 1: longer; 2: half as long again or more."""
    approach: str
    """Means that its text shows, joined with `+`: `dict+sorted`."""

    def __str__(self) -> str:
        size = ("shorter", "as long", "longer", "much longer")[self.size + 1]
        return f"{2**self.speed}x, {size}, {self.approach or 'plain'}"


@dataclass(frozen=True, slots=True)
class Individual:
    """One variant of a module."""

    id: str
    source: str
    parents: tuple[str, ...]
    """Ids; two where the changes of one were made to another."""
    operator: str
    """What made it of its first parent: a rewrite, `graft`, `author`; empty for the original."""
    steps: tuple[str, ...]
    """All operators from the original to here."""
    generation: int
    island: int
    approach: str = ""
    statements: int = 0
    """Of the callable and what it calls."""
    gains: Mapping[int, float] = field(default_factory=dict)
    """CPU time of the original over its own, by size of input; a rough look."""
    fate: Fate = Fate.BORN

    @property
    def gain(self) -> float | None:
        """At the largest size, or at most sizes; None where it was not timed.

        Where calls do not grow with their input, a single size is luck.
        """
        if not self.gains:
            return None
        return max(self.gains[max(self.gains)], statistics.median(self.gains.values()))

    @property
    def is_fit(self) -> bool:
        """Whether children may be made of it."""
        return self.fate in (Fate.ALIVE, Fate.HELD, Fate.PROVEN)

    def niche(self, original_statements: int) -> Niche:
        """The cell that it competes in."""
        ratio = self.statements / max(original_statements, 1)
        size = -1 if ratio < 0.95 else 0 if ratio <= 1.05 else 1 if ratio < 1.5 else 2
        speed = max(0, math.floor(math.log2(max(self.gain or 1.0, 1.0))))
        return Niche(min(speed, 10), size, self.approach)

    def with_fate(self, fate: Fate) -> "Individual":
        """The same, further on."""
        return replace(self, fate=fate)


@dataclass(frozen=True, slots=True)
class Evolution:
    """What became of a population, and of those that were tried in earnest."""

    optimisation: Optimisation
    lineage: tuple[Individual, ...]
    """Everybody that was raced, the original first."""
    generations: int
    niches: int
    """Cells of the archive that are taken."""
    is_exhausted: bool
    """Whether no operator had anything new to offer before the time was over."""
    resumed: int = 0
    """Variants that were taken over from an earlier run."""
    authored: int = 0
    """Answers of the author that became variants."""

    def ancestry(self, identity: str) -> tuple[Individual, ...]:
        """One variant and all that it came from, the original first."""
        by_id = {each.id: each for each in self.lineage}
        found: dict[str, Individual] = {}
        waiting = [identity]
        while waiting:
            each = by_id.get(waiting.pop())
            if each is not None and each.id not in found:
                found[each.id] = each
                waiting += each.parents
        return tuple(sorted(found.values(), key=lambda each: each.generation))
