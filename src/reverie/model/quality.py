"""How good a piece of code is: parts with their figures, and a grade."""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.finding import Finding
from reverie.model.grade import Grade


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
