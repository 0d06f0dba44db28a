"""Where a test is worth most, with every number that says so."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from reverie.model.coverage import FileCoverage


class Exclusion(StrEnum):
    """Why a module is no candidate."""

    TEST = "test"
    GENERATED = "generated"
    VENDORED = "vendored"
    SETTING = "setting"
    NOT_PARSED = "not parsed"
    NO_FUNCTIONS = "no functions"


@dataclass(frozen=True, slots=True)
class ExcludedModule:
    """A module that is no candidate, and what gave it away."""

    path: str
    reason: Exclusion
    detail: str


@dataclass(frozen=True, slots=True)
class CountedTouch:
    """A commit that counts as a change of a module."""

    commit: str
    author: str
    age_days: float
    weight: float
    is_fix: bool
    is_revert: bool


@dataclass(frozen=True, slots=True)
class ModuleHistory:
    """The changes of one module that count, newest first, and how many do not, by reason."""

    touches: tuple[CountedTouch, ...]
    passed_over: Mapping[str, int] = field(default_factory=dict)

    @property
    def churn(self) -> float:
        """Changes, each weighted by how recent it is."""
        return sum(touch.weight for touch in self.touches)

    @property
    def faults(self) -> float:
        """Changes that mended or took back an earlier one, weighted likewise."""
        return sum(touch.weight for touch in self.touches if touch.is_fix or touch.is_revert)

    @property
    def authors(self) -> int:
        """How many people changed it."""
        return len({touch.author for touch in self.touches})

    @property
    def main_author_share(self) -> float | None:
        """The share of changes by the one who made most; None without changes."""
        if not self.touches:
            return None
        names = [touch.author for touch in self.touches]
        return max(names.count(name) for name in set(names)) / len(names)


@dataclass(frozen=True, slots=True)
class ModuleComplexity:
    """The functions and methods of one module."""

    functions: int
    total: int
    """Cyclomatic complexity of all of them together."""
    highest: int
    cognitive: int


@dataclass(frozen=True, slots=True)
class Factors:
    """What the value is the product of. None: not known, and left out of the product."""

    change: float | None
    fault: float | None
    spread: float | None
    untested: float | None
    complexity: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A module with the expected value of a test there."""

    module: str
    path: str
    lines: int
    value: float
    factors: Factors
    complexity: ModuleComplexity
    history: ModuleHistory | None
    coverage: FileCoverage | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """All modules of a repository: candidates, best first, and the others."""

    candidates: tuple[Candidate, ...]
    excluded: tuple[ExcludedModule, ...]
    notes: tuple[str, ...]
    """What was not known, and so left out."""
    head: str | None = None
    """The commit that ages are counted from."""
