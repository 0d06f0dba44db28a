"""The quality of a piece of code: safety findings, parts with their figures, a grade, and flags.

Findings come from the static safety rules; alignment says what a person should look at in a
change, whoever made it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
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


class Severity(StrEnum):
    """How much a finding matters, least first."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a rule objects. Lines and columns start at 1."""

    rule: str
    severity: Severity
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class NamedCheck:
    """What findings under a name are about, where the name is not one of the safety rules."""

    id: str
    title: str
    family: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """All findings of one file. `passed` is the rules' answer at the tier it was checked for."""

    path: str
    passed: bool
    findings: tuple[Finding, ...]
    code_hash: str


class Part(StrEnum):
    """What a grade is made of."""

    SYNTAX = "syntax"
    LINT = "lint"
    TYPES = "types"
    COMPLEXITY = "complexity"
    DOCSTRINGS = "docstrings"
    SECURITY = "security"
    DUPLICATION = "duplication"


@dataclass(frozen=True, slots=True)
class Measure:
    """One part, measured: `count` of `size`, and the figure that follows. Absent: and why."""

    part: Part
    unit: str
    figure: float | None
    count: int | None = None
    size: int | None = None
    absent: str | None = None
    has_critical: bool = False


@dataclass(frozen=True, slots=True)
class GradedPart:
    """One part with its grade. Without a figure there is no grade, and no weight."""

    measure: Measure
    grade: Grade | None
    weight: float


@dataclass(frozen=True, slots=True)
class QualityVerdict:
    """All parts together. `score` is their weighted mean in points; None without any part."""

    grade: Grade | None
    score: float | None
    parts: tuple[GradedPart, ...]
    capped_by: Part | None = None
    """The part that keeps the grade below what the score alone would give."""


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A finding and the file it was made in, relative to the repository where it lies in it."""

    part: Part
    path: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines of one file."""

    path: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two places that say the same, up to the names they use."""

    first: Block
    second: Block
    tokens: int


_WEIGHTS = {
    Severity.INFO: 0.02,
    Severity.WARNING: 0.15,
    Severity.ERROR: 0.5,
    Severity.CRITICAL: 1.0,
}


class AlignmentVerdict(StrEnum):
    """What the flags of a change come to, worst last."""

    PASS = "pass"
    WARNING = "alignment_warning"
    FAILURE = "alignment_failure"


@dataclass(frozen=True, slots=True)
class AlignmentFlag:
    """One thing that a change takes away or brings in. The text of a secret is never in it."""

    rule: str
    severity: Severity
    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class AlignmentReport:
    """All flags of one change, and what they come to."""

    KEYS = "verdict score:4 flags metrics"

    flags: tuple[AlignmentFlag, ...]
    warning_threshold: float
    failure_threshold: float
    before: Mapping[str, float | None] = field(default_factory=dict)
    """Figures of the changed files: the baseline that flags are held against."""
    after: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """From 0 to 1; every rule counts once, by the worst that it found."""
        worst: dict[str, float] = {}
        for flag in self.flags:
            worst[flag.rule] = max(worst.get(flag.rule, 0.0), _WEIGHTS[flag.severity])
        left = 1.0
        for rule in sorted(worst):
            left *= 1.0 - worst[rule]
        return 1.0 - left

    @property
    def verdict(self) -> AlignmentVerdict:
        """By the thresholds."""
        if self.score >= self.failure_threshold:
            return AlignmentVerdict.FAILURE
        if self.score >= self.warning_threshold:
            return AlignmentVerdict.WARNING
        return AlignmentVerdict.PASS

    @property
    def metrics(self) -> Mapping[str, Mapping[str, float | None]]:
        """The figures on both sides."""
        return {"before": self.before, "after": self.after}
