"""Weights of the keepability score, fitted to labels: logistic regression, by plain descent.

Half of the labelled tests is fitted on, the other half says how good that is. Halves are drawn by
module, so that no module is on both sides. `labelled/` keeps labels with the facts that the score
sees, and no line of anybody's code: facts of a later version need the sheet again.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from operator import mul
from pathlib import Path

from benchmarks.keepable.judging import Labelled, read_labels
from benchmarks.keepable.mechanical import known_to, reading_of
from benchmarks.keepable.sheet import read_key
from reverie.scoring.keepability.score import facts_of, keepability, named_after
from reverie.scoring.keepability.weights import WEIGHTS

_STEPS, _RATE, _SHRINK = 1200, 0.5, 0.02
_FOLDS = 5
_PRIOR = 1.0
"""What a fact weighs of which the labels say nothing."""


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled test as the score sees it."""

    module: str
    test: str
    author: str
    label: str
    reason: str
    facts: dict[str, float]

    @property
    def is_kept(self) -> bool:
        return self.label == "keep"

    @property
    def score(self) -> float:
        """With the weights that are in use."""
        return keepability(self.facts).score


def read_cases(place: Path) -> list[Case]:
    """Of a labelled sheet, or of a file that was kept of one."""
    if place.is_file():
        return [_filled(Case(**each)) for each in json.loads(place.read_text("utf-8"))]
    items = read_key(place / "key.json")
    labelled = read_labels(place / "labels.tsv", items, is_whole=False)
    return [_case(each, place) for each in labelled]


def _filled(case: Case) -> Case:
    """With facts that came later: those of the name are read from it, others are not known: 0."""
    later = dict.fromkeys(WEIGHTS, 0.0) | {"named_after": named_after(case.test)}
    return replace(case, facts=later | case.facts)


def write_cases(file: Path, cases: Sequence[Case]) -> None:
    """One line for each."""
    lines = ",\n".join(json.dumps(asdict(each)) for each in cases)
    file.write_text(f"[\n{lines}\n]\n", "utf-8")


def _case(labelled: Labelled, folder: Path) -> Case:
    item = labelled.item
    facts = facts_of(reading_of(item), known_to(item, folder))
    rounded = {name: round(amount, 3) for name, amount in facts.items()}
    piece = item.piece
    return Case(piece.module, piece.name, item.author, labelled.label, labelled.reason, rounded)


def halves(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """To fit on, and to try it on: modules in the order of a hash, in turn."""
    modules = sorted({each.module for each in cases}, key=_hashed)
    first = set(modules[::2])
    fitted = [each for each in cases if each.module in first]
    return fitted, [each for each in cases if each.module not in first]


def crossed(cases: Sequence[Case]) -> list[float]:
    """The score of each case by weights that were fitted without any test of its package."""
    packages = sorted({_package(each) for each in cases}, key=_hashed)
    found: dict[int, float] = {}
    for fold in range(_FOLDS):
        out = set(packages[fold::_FOLDS])
        bias, weights = fit([each for each in cases if _package(each) not in out])
        found |= {
            place: scored(each, bias, weights)
            for place, each in enumerate(cases)
            if _package(each) in out
        }
    return [found[place] for place in range(len(cases))]


def _package(case: Case) -> str:
    return case.module.partition(".")[0]


def fit(cases: Sequence[Case]) -> tuple[float, dict[str, float]]:
    """Bias and weights; a weight is never below nothing: a fault does not speak for a test."""
    names = sorted(cases[0].facts)
    rows = [([each.facts[name] for name in names], each.is_kept) for each in cases]
    columns = list(zip(*(facts for facts, _ in rows), strict=True))
    weights, bias = [_PRIOR] * len(names), 1.0
    for _ in range(_STEPS):
        errors = [
            kept - 1 / (1 + math.exp(sum(map(mul, weights, facts)) - bias)) for facts, kept in rows
        ]
        bias += _RATE * sum(errors) / len(rows)
        weights = [
            max(
                0.0,
                weight
                - _RATE * sum(map(mul, errors, column)) / len(rows)
                - _RATE * _SHRINK * (weight - _PRIOR),
            )
            for weight, column in zip(weights, columns, strict=True)
        ]
    return bias, dict(zip(names, weights, strict=True))


def scored(case: Case, bias: float, weights: dict[str, float]) -> float:
    """A test's score by other weights than those in use."""
    return 1 / (1 + math.exp(sum(weights[n] * case.facts[n] for n in weights) - bias))


def area(pairs: Sequence[tuple[float, bool]]) -> float | None:
    """How often one of those asked for scores above one of the others (AUC); None without both."""
    wanted = [score for score, is_wanted in pairs if is_wanted]
    others = [score for score, is_wanted in pairs if not is_wanted]
    if not wanted or not others:
        return None
    won = sum((a > b) + 0.5 * (a == b) for a in wanted for b in others)
    return won / (len(wanted) * len(others))


def areas_of(cases: Sequence[Case], scores: Sequence[float]) -> list[str]:
    """Kept ones above the others, and discarded ones below: of all, and of Reverie's alone."""
    lines = []
    for who in ("all", "Reverie's"):
        chosen = [
            (score, each)
            for score, each in zip(scores, cases, strict=True)
            if who == "all" or each.author == "reverie"
        ]
        kept = area([(score, each.is_kept) for score, each in chosen])
        wanted = area([(score, each.label != "discard") for score, each in chosen])
        shown = ["not known" if each is None else f"{each:.2f}" for each in (kept, wanted)]
        lines.append(f"{who} ({len(chosen)}): kept {shown[0]}, not discarded {shown[1]}")
    return lines


def bars(cases: Sequence[Case], scores: Sequence[float]) -> list[str]:
    """What each bar would leave out of Reverie's tests, by label."""
    ours = [
        (each, score) for each, score in zip(cases, scores, strict=True) if each.author == "reverie"
    ]
    lines = [
        "| bar | left in | keep of those | keeps lost | discards left in |",
        "|---|---|---|---|---|",
    ]
    for twentieth in range(2, 17):
        bar = twentieth / 20
        stay = [each for each, score in ours if score >= bar]
        kept = sum(each.is_kept for each in stay)
        lost = sum(each.is_kept for each, _ in ours) - kept
        bad = sum(each.label == "discard" for each in stay)
        share = f"{100 * kept / len(stay):.0f} %" if stay else ""
        lines.append(f"| {bar} | {len(stay)} of {len(ours)} | {share} | {lost} | {bad} |")
    return lines


def _hashed(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
