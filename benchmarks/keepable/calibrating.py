"""Weights of the keepability score, fitted to labels: logistic regression, by plain descent.

Half of the labelled tests is fitted on, the other half says how good that is. Halves are drawn by
module, so that no module is on both sides.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.keepable.judging import Labelled
from benchmarks.keepable.mechanical import known_to, reading_of
from reverie.scoring.keepability.score import facts_of, keepability

_STEPS, _RATE, _SHRINK = 4000, 0.3, 0.01


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled test as the score sees it."""

    labelled: Labelled
    facts: dict[str, float]

    @property
    def is_kept(self) -> bool:
        return self.labelled.label == "keep"

    @property
    def score(self) -> float:
        """With the weights that are in use."""
        return keepability(self.facts).score


def cases_of(labelled: Sequence[Labelled], folder: Path) -> list[Case]:
    """With what each test's module has to say."""
    return [
        Case(each, facts_of(reading_of(each.item), known_to(each.item, folder)))
        for each in labelled
    ]


def halves(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """To fit on, and to try it on: modules in the order of a hash, in turn."""
    modules = sorted({each.labelled.item.piece.module for each in cases}, key=_hashed)
    first = set(modules[::2])
    return (
        [each for each in cases if each.labelled.item.piece.module in first],
        [each for each in cases if each.labelled.item.piece.module not in first],
    )


def fit(cases: Sequence[Case]) -> tuple[float, dict[str, float]]:
    """Bias and weights; a weight is never below nothing: a fault does not speak for a test."""
    names = sorted(cases[0].facts)
    weights = dict.fromkeys(names, 0.5)
    bias = 1.0
    for _ in range(_STEPS):
        pulled, slopes = 0.0, dict.fromkeys(names, 0.0)
        for each in cases:
            odds = bias - sum(weights[name] * each.facts[name] for name in names)
            error = each.is_kept - 1 / (1 + math.exp(-odds))
            pulled += error
            for name in names:
                slopes[name] -= error * each.facts[name]
        bias += _RATE * pulled / len(cases)
        for name in names:
            slope = slopes[name] / len(cases) - _SHRINK * weights[name]
            weights[name] = max(0.0, weights[name] + _RATE * slope)
    return bias, weights


def scored(case: Case, bias: float, weights: dict[str, float]) -> float:
    """A test's score by other weights than those in use."""
    return 1 / (1 + math.exp(sum(weights[n] * case.facts[n] for n in weights) - bias))


def area(pairs: Sequence[tuple[float, bool]]) -> float | None:
    """How often a kept test scores above one that is not (AUC); None without both kinds."""
    kept = [score for score, is_kept in pairs if is_kept]
    others = [score for score, is_kept in pairs if not is_kept]
    if not kept or not others:
        return None
    won = sum((a > b) + 0.5 * (a == b) for a in kept for b in others)
    return won / (len(kept) * len(others))


def bars(cases: Sequence[Case]) -> list[str]:
    """What each bar would leave out of Reverie's tests, by label."""
    ours = [each for each in cases if each.labelled.item.author == "reverie"]
    lines = [
        "| bar | left in | keep of those | keeps lost | discards left |",
        "|---|---|---|---|---|",
    ]
    for tenth in range(1, 10):
        bar = tenth / 10
        stay = [each for each in ours if each.score >= bar]
        kept = sum(each.is_kept for each in stay)
        lost = sum(each.is_kept for each in ours) - kept
        bad = sum(each.labelled.label == "discard" for each in stay)
        share = f"{100 * kept / len(stay):.0f} %" if stay else ""
        lines.append(f"| {bar} | {len(stay)} of {len(ours)} | {share} | {lost} | {bad} |")
    return lines


def _hashed(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
