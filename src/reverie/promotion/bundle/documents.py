"""The values of a proof as JSON, and back: nothing is lost on the way, and nothing is guessed.

A tolerance says how far a measure may move from one run to the next before a claim counts as not
reproduced.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any, Literal, TypeVar

from reverie.errors import BundleRefused
from reverie.model.change import Change, FileEdit
from reverie.model.codec import Malformed, pick, plain, read
from reverie.model.cycle import Proven, Source
from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Evidence, Judgement, Need, Ruling, Verdict
from reverie.promotion.bundle.statement import number


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
    ("speed.variation", Tolerance(Direction.NEITHER)),
    ("speed.pairs", Tolerance(Direction.NEITHER)),
    ("speed.growth_classes", Tolerance(absolute=1.0)),
    ("equivalence.inputs", Tolerance(Direction.NEITHER)),
    ("lint.*", Tolerance(Direction.NEITHER)),
    ("*speed*", Tolerance(Direction.WORSE_IF_LOWER, relative=0.2)),
    ("*memory*", Tolerance(relative=0.2)),
    ("*bytes*", Tolerance(relative=0.2)),
    ("*growth*", Tolerance(absolute=0.3)),
    ("tests.*", _EXACT),
    ("*score*", Tolerance(absolute=0.02)),
    ("conditions.*", Tolerance(absolute=1.0, relative=0.02)),
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


T = TypeVar("T")
Document = Mapping[str, Any]
Figure = float | Literal["nan", "inf", "-inf"]


@dataclass(frozen=True, slots=True)
class Told:
    """What the documents of a bundle say together."""

    proven: Proven
    tolerances: Mapping[str, Tolerance]
    result_tree: str | None


@dataclass(frozen=True, slots=True)
class DreamFile:
    """`dream.json`."""

    id: str
    kind: DreamKind
    stage: Stage
    dreamer: str
    module: str
    title: str
    seed: int
    roi: float | None
    raroi: float | None
    edits: tuple[FileEdit, ...]

    def dream(self) -> Dream:
        """The dream, if it is the one whose id is given."""
        change = Change(self.edits)
        found = Dream(self.kind, self.dreamer, self.module, self.title, change, self.seed)
        if found.id != self.id:
            raise BundleRefused("contradiction", "dream.json has another id than its change gives")
        return found


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`source.json`."""

    revision: str | None
    tree: str | None
    files: Mapping[str, str]
    result_tree: str | None


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure and how far it may move."""

    value: Figure
    tolerance: Tolerance


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """`evidence.json`."""

    measures: Mapping[str, Measure]
    seed: int
    isolation: IsolationTier
    command: tuple[str, ...]
    limits: Mapping[str, Figure]
    hashes: Mapping[str, str]
    versions: Mapping[str, str]
    details: Mapping[str, tuple[str, ...]]

    def evidence(self) -> Evidence:
        """The evidence without its tolerances."""
        return Evidence(
            {name: float(each.value) for name, each in self.measures.items()},
            self.seed,
            self.isolation,
            self.command,
            {name: float(value) for name, value in self.limits.items()},
            self.hashes,
            self.versions,
            self.details,
        )


@dataclass(frozen=True, slots=True)
class RulingsFile:
    """`rulings.json`."""

    verdict: Verdict
    needs: tuple[Need, ...]
    rulings: tuple[Ruling, ...]

    def judgement(self) -> Judgement:
        """The judgement, if the verdict given follows from it."""
        found = Judgement(self.rulings, self.needs)
        if found.verdict != self.verdict:
            raise BundleRefused(
                "contradiction", "rulings.json has another verdict than its rulings"
            )
        return found


def documents_of(proven: Proven, result_tree: str | None) -> dict[str, Document]:
    """Every document of a proof by the name of its file."""
    about = "dream.id dream.kind stage dream.dreamer dream.module dream.title dream.seed roi raroi"
    return {
        "dream.json": pick(proven, f"{about} edits=dream.change.edits"),
        "source.json": pick(proven.source, result_tree=result_tree),
        "evidence.json": _evidence(proven.evidence),
        "rulings.json": pick(
            proven.judgement,
            "verdict needs rulings",
            rulings=[_ruling(each) for each in proven.judgement.rulings],
        ),
    }


def read_documents(documents: Mapping[str, Any]) -> Told:
    """What the documents say; `BundleRefused` when they contradict themselves."""
    dream = _read(DreamFile, "dream.json", documents)
    rulings = _read(RulingsFile, "rulings.json", documents)
    source = _read(SourceFile, "source.json", documents)
    evidence = _read(EvidenceFile, "evidence.json", documents)
    return Told(
        proven=Proven(
            dream.dream(),
            dream.stage,
            Source(source.revision, source.tree, source.files),
            evidence.evidence(),
            rulings.judgement(),
            dream.roi,
            dream.raroi,
        ),
        tolerances={name: each.tolerance for name, each in evidence.measures.items()},
        result_tree=source.result_tree,
    )


def _read(kind: type[T], name: str, documents: Mapping[str, Any]) -> T:
    try:
        return read(kind, documents.get(name), name, whole=True)
    except Malformed as error:
        raise BundleRefused("malformed", str(error)) from error


def _evidence(evidence: Evidence) -> Document:
    return pick(
        evidence,
        measures={
            name: {"value": number(value), "tolerance": plain(tolerance_of(name))}
            for name, value in evidence.measures.items()
        },
        limits={name: number(value) for name, value in evidence.limits.items()},
    )


def _ruling(ruling: Ruling) -> Document:
    told = pick(ruling)
    for key in ("measured", "required"):
        if isinstance(told[key], float):
            told[key] = number(told[key])
    return told
