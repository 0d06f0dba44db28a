"""The worth of dreams: gains, ROI in minutes of a maintainer's time, and suggestions of what to do.

Both sides of ROI are in minutes, with every part shown; gains are in plain units: faults noticed,
times as fast, fewer branches.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class RoiPart:
    """One reason why a change is worth something, or costs something."""

    name: str
    quantity: float
    """In the unit of the part, as a person counts it."""
    points_each: float
    weight: float = 1.0
    """Learned from outcomes; 1 as long as nothing was."""
    counted: float | None = None
    """The quantity that counts, after hotness and diminishing returns; None: all of it."""

    @property
    def points(self) -> float:
        """What it comes to."""
        counted = self.quantity if self.counted is None else self.counted
        return counted * self.points_each * self.weight


@dataclass(frozen=True, slots=True)
class Roi:
    """Value and cost by their parts. A part that nobody measured is not among them."""

    benefit: tuple[RoiPart, ...]
    cost: tuple[RoiPart, ...]
    kept_probability: float = 1.0
    """That people keep the change as it is."""

    @property
    def value(self) -> float:
        """All that is good about it, if people keep it."""
        return sum(part.points for part in self.benefit)

    @property
    def cost_points(self) -> float:
        """What a reviewer pays."""
        return sum(part.points for part in self.cost)

    @property
    def points(self) -> float | None:
        """Expected value less cost; None when no benefit was measured at all."""
        return self.value * self.kept_probability - self.cost_points if self.benefit else None

    @property
    def ratio(self) -> float | None:
        """Expected value over cost; None without a benefit, or without a cost."""
        if not self.benefit or self.cost_points <= 0:
            return None
        return self.value * self.kept_probability / self.cost_points


class Severity(StrEnum):
    """How much a rollback in a module would hurt."""

    LOW = "low"
    EXPERIMENTAL = "experimental"
    STANDARD = "standard"
    CRITICAL = "critical"

    @property
    def weight(self) -> float:
        """Its share of the damage."""
        return {"low": 0.1, "experimental": 0.2, "standard": 0.5, "critical": 0.9}[self.value]


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What became of earlier changes: how many were taken back or mended, and how many kept."""

    bad: int = 0
    kept: int = 0

    def __add__(self, other: "TrackRecord") -> "TrackRecord":
        return TrackRecord(self.bad + other.bad, self.kept + other.kept)


@dataclass(frozen=True, slots=True)
class Settled:
    """A change on which people have decided: whether they kept it, and what it was said to be."""

    kind: str
    dreamer: str
    is_kept: bool
    predicted: float | None = None
    """Its ROI, as told before anybody decided."""
    real: float | None = None
    """The same with what people decided in the place of the probability."""


@dataclass(frozen=True, slots=True)
class Past:
    """What earlier changes tell of a new one."""

    files: TrackRecord = TrackRecord()
    """Commits to its files and promotions of its dreamer: mended or taken back, and not."""
    settled: tuple[Settled, ...] = ()
    """Changes of the same kind and dreamer on which people have decided."""


@dataclass(frozen=True, slots=True)
class Risk:
    """What could go wrong with a change, and what has gone wrong in its files before."""

    rolled_back: int = 0
    """Reverts, hot-fixes and rollbacks in the history of its files."""
    kept: int = 0
    """Commits and promotions there that were kept."""
    severity: Severity = Severity.STANDARD
    variation: float | None = None
    """Coefficient of variation of the repeated trials; None: nothing was repeated."""
    failed_suites: int | None = None
    """Safety suites that failed, of those that were run; None: none was run."""


@dataclass(frozen=True, slots=True)
class RiskAdjusted:
    """ROI after risk, with the factors it was made from. A factor that is None was not measured."""

    points: float
    base: float
    rollback_probability: float
    severity: float
    stability: float | None
    safety: float | None


_COUNTED = (
    ("mutants.newly_killed", "more planted fault noticed", "more planted faults noticed"),
    ("complexity.removed", "branch less in the code", "branches less in the code"),
    ("coverage.new_branches", "more branch run", "more branches run"),
    ("tests.new", "new test", "new tests"),
)
_SPEED = "speed.p50"
_FEW = 3


def gains_of(measures: Mapping[str, float]) -> tuple[str, ...]:
    """The gains of one change, the most telling first; what was not measured, or is 0, is none."""
    return tuple(_gains(measures))


def _gains(measures: Mapping[str, float]) -> Iterator[str]:
    if measures.get(_SPEED, 0.0) > 1.0:
        yield f"at least {at_least(measures[_SPEED])} times as fast"
    for name, one, many in _COUNTED:
        if measures.get(name):
            yield counted(measures[name], one, many)


def at_least(value: float) -> str:
    """A lower bound in two digits: never rounded up, for then it would not be one."""
    digits = 1 - math.floor(math.log10(value)) if value > 0 else 0
    low = math.floor(value * 10**digits) / 10**digits
    return f"{low:,.0f}" if low >= 10 else f"{low:.2g}"


def counted(count: float, one: str, many: str) -> str:
    """`1 test`, `2 tests`."""
    return f"{count:.0f} {one if count == 1 else many}"


def listed(names: Sequence[str], most: int = _FEW) -> str:
    """`a, b and c`; of more than may be shown, how many others there are."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} others"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


GROUPS = ("module", "kind", "dreamer", "workflow", "scenario")


@dataclass(frozen=True, slots=True)
class RoiRow:
    """One dream's worth, with where it belongs and what it was expected to be worth."""

    dream_id: str
    points: float | None
    predicted: float | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    """By the names in `GROUPS`."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Points of each part; costs are negative."""
    entropy: float | None = None
    source_hash: str = ""
    """Of the module's own source when it was tried; empty: nobody knows."""
    cycle_id: str = ""
    raroi: float | None = None


class SuggestionKind(StrEnum):
    """What to do."""

    TEST = "test"
    REFACTOR = "refactor"
    OPTIMISE = "optimise"
    REGRESSION = "regression"
    REVIEW = "review"
    """A dream that was tried and waits for a person."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One thing to do. Worth is in points; None: nobody can say yet."""

    kind: SuggestionKind
    target: str
    title: str
    evidence: tuple[str, ...]
    """What was measured, one fact a line."""
    command: str
    """What to run."""
    roi: Roi | None
    risk: RiskAdjusted | None
    chance: float | None = None
    """Of success, from what became of earlier dreams of this kind; in the benefit already."""
    raroi: float | None = None

    @property
    def rank(self) -> tuple[bool, float, str, str]:
        """Most worth first; what nobody can reckon last, by name."""
        return self.raroi is None, -(self.raroi or 0.0), str(self.kind), self.target
