"""The values of a proof as JSON, and back: nothing is lost on the way, and nothing is guessed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from reverie.errors import BundleRefused
from reverie.model.approval import Need
from reverie.model.change import Change, FileEdit
from reverie.model.codec import Malformed, pick, plain, read
from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.evidence import Evidence
from reverie.model.outcome import IsolationTier
from reverie.model.promotion import Proven, Source
from reverie.model.ruling import Judgement, Ruling, Verdict
from reverie.promotion.bundle.canonical import number
from reverie.promotion.bundle.tolerances import Tolerance, tolerance_of

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
