"""The values of a proof as JSON, and back: nothing is lost on the way, and nothing is guessed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from reverie.errors import BundleRefused
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.evidence import Evidence
from reverie.model.outcome import IsolationTier
from reverie.model.promotion import Proven, Source
from reverie.model.ruling import Answer, Judgement, Ruling
from reverie.promotion.bundle.canonical import number
from reverie.promotion.bundle.tolerances import Direction, Tolerance, tolerance_of

T = TypeVar("T")
Document = Mapping[str, Any]

_EDIT = ("path", "before", "after", "renamed_from", "mode_before", "mode_after")


@dataclass(frozen=True, slots=True)
class Told:
    """What the documents of a bundle say together."""

    proven: Proven
    tolerances: Mapping[str, Tolerance]
    result_tree: str | None


def documents_of(proven: Proven, result_tree: str | None) -> dict[str, Document]:
    """Every document of a proof by the name of its file."""
    return {
        "dream.json": _dream(proven),
        "source.json": {
            "revision": proven.source.revision,
            "tree": proven.source.tree,
            "files": dict(proven.source.files),
            "result_tree": result_tree,
        },
        "evidence.json": _evidence(proven.evidence),
        "rulings.json": {
            "verdict": str(proven.judgement.verdict),
            "needs": list(proven.judgement.needs),
            "rulings": [_ruling(each) for each in proven.judgement.rulings],
        },
    }


def read_documents(documents: Mapping[str, Any]) -> Told:
    """What the documents say; `BundleRefused` when they contradict themselves."""
    dream = _read("dream.json", documents, _dream_of)
    stage = _read("dream.json", documents, lambda told: Stage(told["stage"]))
    if dream.id != documents["dream.json"]["id"]:
        raise BundleRefused("contradiction", "dream.json has another id than its change gives")
    judgement = _read("rulings.json", documents, _judgement_of)
    if judgement.verdict != documents["rulings.json"].get("verdict"):
        raise BundleRefused("contradiction", "rulings.json has another verdict than its rulings")
    roi, raroi = _read("dream.json", documents, lambda told: (told["roi"], told["raroi"]))
    source = _read("source.json", documents, _source_of)
    evidence = _read("evidence.json", documents, _evidence_of)
    return Told(
        proven=Proven(dream, stage, source, evidence, judgement, roi, raroi),
        tolerances=_read("evidence.json", documents, _tolerances_of),
        result_tree=_read("source.json", documents, lambda told: told["result_tree"]),
    )


def _read(name: str, documents: Mapping[str, Any], read: Callable[[Any], T]) -> T:
    try:
        return read(documents[name])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BundleRefused("malformed", f"{name} lacks something or holds it wrongly") from error


def _dream(proven: Proven) -> Document:
    dream = proven.dream
    return {
        "id": dream.id,
        "kind": str(dream.kind),
        "stage": str(proven.stage),
        "dreamer": dream.dreamer,
        "module": dream.module,
        "title": dream.title,
        "seed": dream.seed,
        "roi": proven.roi,
        "raroi": proven.raroi,
        "edits": [{key: getattr(edit, key) for key in _EDIT} for edit in dream.change.edits],
    }


def _dream_of(told: Any) -> Dream:
    texts = {key: str(told[key]) for key in ("dreamer", "module", "title")}
    change = Change(tuple(_edit_of(edit) for edit in told["edits"]))
    return Dream(DreamKind(told["kind"]), **texts, change=change, seed=_whole(told["seed"]))


def _edit_of(told: Any) -> FileEdit:
    path, before, after, *others = (_text(told[key]) for key in _EDIT)
    if path is None:
        raise TypeError("no path")
    return FileEdit(path, before, after, *others)


def _source_of(told: Any) -> Source:
    files = {str(path): str(digest) for path, digest in told["files"].items()}
    return Source(_text(told["revision"]), _text(told["tree"]), files)


def _evidence(evidence: Evidence) -> Document:
    return {
        "measures": {
            name: {"value": number(value), "tolerance": tolerance_of(name).document()}
            for name, value in evidence.measures.items()
        },
        "seed": evidence.seed,
        "isolation": str(evidence.isolation),
        "command": list(evidence.command),
        "limits": {name: number(value) for name, value in evidence.limits.items()},
        "hashes": dict(evidence.hashes),
        "versions": dict(evidence.versions),
        "details": {name: list(lines) for name, lines in evidence.details.items()},
    }


def _evidence_of(told: Any) -> Evidence:
    return Evidence(
        measures={name: _float(each["value"]) for name, each in told["measures"].items()},
        seed=_whole(told["seed"]),
        isolation=IsolationTier(told["isolation"]),
        command=tuple(map(str, told["command"])),
        limits={name: _float(value) for name, value in told["limits"].items()},
        hashes={str(name): str(value) for name, value in told["hashes"].items()},
        versions={str(name): str(value) for name, value in told["versions"].items()},
        details={name: tuple(map(str, lines)) for name, lines in told["details"].items()},
    )


def _tolerances_of(told: Any) -> dict[str, Tolerance]:
    return {
        name: Tolerance(
            Direction(each["tolerance"]["direction"]),
            _float(each["tolerance"]["absolute"]),
            _float(each["tolerance"]["relative"]),
        )
        for name, each in told["measures"].items()
    }


def _ruling(ruling: Ruling) -> Document:
    told = ruling.document()
    for key in ("measured", "required"):
        if isinstance(told[key], float):
            told[key] = number(told[key])
    return told


def _judgement_of(told: Any) -> Judgement:
    rulings = tuple(
        Ruling(
            gate=str(each["gate"]),
            verdict=Answer(each["verdict"]),
            reason_code=str(each["reason_code"]),
            reason=str(each["reason"]),
            measured=each["measured"],
            required=each["required"],
        )
        for each in told["rulings"]
    )
    return Judgement(rulings, tuple(map(str, told["needs"])))


def _text(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("not a whole number")
    return value


def _float(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError("not a number")
    return float(value)
