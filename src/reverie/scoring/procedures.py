"""Figures of the dream journal: procedures compared, their novelty, and how healthy the journal is.

Novelty is 1 minus the highest AST edit similarity. Of health, a part without data is left out, the
weights of the others are renormalised, and the metrics say so.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.model.measurements.equivalence import Seen
from reverie.model.measurements.output_type import Mismatch, validate_output
from reverie.model.procedure import HIGH_NOVELTY, DreamMetrics, DreamProcedure, DreamTier
from reverie.syntax.nodes import is_bare_constant
from reverie.syntax.parsing import NOT_PYTHON, parse_module


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts over the calls that said something."""

    calls: int
    same: int = 0
    different: int = 0
    more_robust: int = 0
    less_robust: int = 0

    @property
    def effectiveness(self) -> float | None:
        """The share of calls on which it did at least as well; None without calls."""
        return None if self.calls == 0 else 1 - self.less_robust / self.calls


def compare(base: Sequence[Seen], other: Sequence[Seen]) -> Comparison:
    """What `other` does beside `base`, call by call."""
    pairs = [(a, b) for a, b in zip(base, other, strict=True) if a.is_made and b.is_made]
    words = [_word(a, b) for a, b in pairs]
    return Comparison(
        len(pairs),
        *(words.count(word) for word in ("same", "different", "more_robust", "less_robust")),
    )


def _word(base: Seen, other: Seen) -> str:
    if base.succeeded and other.succeeded:
        return "same" if base.behaviour == other.behaviour else "different"
    if base.succeeded:
        return "less_robust"
    return "more_robust" if other.succeeded else "same"


def misfit(seen: Seen, declared: str | None) -> Mismatch | None:
    """Where a result is not of the declared type; None when it is, or cannot be told."""
    if declared is None or not seen.succeeded or not seen.is_plain:
        return None
    return validate_output(seen.plain, declared, seen.type_name)


def novelty(source: str, known: Iterable[str]) -> float | None:
    """In [0, 1]; None when there is nothing to compare with, or the source is no Python."""
    tokens = syntax_tokens(source)
    others = [found for each in known if (found := syntax_tokens(each)) is not None]
    if tokens is None or not others:
        return None
    return 1.0 - max(similarity(tokens, other) for other in others)


def syntax_tokens(source: str) -> tuple[str, ...] | None:
    """The nodes of a source in order, with their names and values; docstrings are not code."""
    found: list[str] = []
    try:
        _collect(parse_module(source), found)
    except NOT_PYTHON:
        return None
    return tuple(found)


def _collect(node: ast.AST, found: list[str]) -> None:
    found.append(type(node).__name__)
    for name, value in ast.iter_fields(node):
        if name in ("ctx", "type_comment", "kind", "type_ignores"):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                if not _is_text(each):
                    _collect(each, found)
            elif each is not None:
                found.append(f"{name}={each!r}")


def _is_text(node: ast.AST) -> bool:
    return is_bare_constant(node)


def similarity(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """1 minus the edit distance over the longer length."""
    longest = max(len(one), len(other))
    return 1.0 if longest == 0 else 1.0 - edit_distance(one, other) / longest


def edit_distance(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Levenshtein's distance, a whole column of the table at once in the bits of one integer."""
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for index, token in enumerate(one):
        places[token] = places.get(token, 0) | 1 << index
    last = 1 << len(one) - 1
    mask = (1 << len(one)) - 1
    rising, falling, distance = mask, 0, len(one)
    for token in other:
        matches = places.get(token, 0) | falling
        diagonal = (((matches & rising) + rising) ^ rising) | matches
        up = falling | ~(diagonal | rising)
        down = rising & diagonal
        distance += bool(up & last) - bool(down & last)
        up = (up << 1) | 1
        down <<= 1
        rising = (down | ~(diagonal | up)) & mask
        falling = up & diagonal & mask
    return distance


WEIGHTS: Mapping[str, float] = {
    "novelty": 0.60, "quality": 0.15, "leverage": 0.15, "efficiency": 0.10,
}  # fmt: skip
_QUALITY = {"viability": 0.5, "tiers": 0.3, "tests": 0.2}
_TIER_WORTH = {DreamTier.VIABLE: 1.0, DreamTier.SPECULATIVE: 0.6, DreamTier.ARCHIVE: 0.2}
_MANY_NOVEL = 10
_LEVERAGE_AT = 0.25
_MATCHES = 2
_QUICK_SECONDS = 30.0
_LEAST_EFFICIENCY = 0.1


def measure_health(
    dreams: Sequence[DreamProcedure], run_seconds: Sequence[float], now: datetime
) -> DreamMetrics:
    """The figures over all dreams, and over the generation runs that made them."""
    novelties = [each.novelty_score for each in dreams if each.novelty_score is not None]
    viabilities = [each.viability_score for each in dreams if each.viability_score is not None]
    tiers = [each.tier for each in dreams if each.tier is not None]
    viable = [each for each in dreams if each.tier is DreamTier.VIABLE]
    outcomes = [each.test_outcome for each in viable if each.test_outcome is not None]
    success = _mean([float(each == "success") for each in outcomes])
    looked = [each for each in viable if each.cross_project_matches is not None]
    matched = sum((each.cross_project_matches or 0) >= _MATCHES for each in looked)
    high = sum(each >= HIGH_NOVELTY for each in novelties)
    mean_run = _mean(run_seconds)
    parts = {
        "novelty": _novelty(novelties, high),
        "quality": _quality(viabilities, tiers, success),
        "leverage": min(matched / len(looked) / _LEVERAGE_AT, 1.0) if looked else None,
        "efficiency": None if mean_run is None else _efficiency(mean_run),
    }
    return DreamMetrics(
        measured_at=now,
        total=len(dreams),
        by_tier={tier.value: tiers.count(tier) for tier in DreamTier},
        mean_novelty=_mean(novelties),
        high_novelty=high,
        mean_viability=_mean(viabilities),
        tier1_test_success_rate=success,
        tier1_test_count=len(outcomes),
        matched_tier1=matched if looked else None,
        mean_run_seconds=mean_run,
        parts=parts,
        compound_health_score=_weighted(parts, WEIGHTS),
        left_out=tuple(name for name, value in parts.items() if value is None),
    )


def _novelty(novelties: Sequence[float], high: int) -> float | None:
    mean = _mean(novelties)
    return None if mean is None else 0.7 * mean + 0.3 * min(high / _MANY_NOVEL, 1.0)


def _quality(
    viabilities: Sequence[float], tiers: Sequence[DreamTier], success: float | None
) -> float | None:
    parts = {
        "viability": _mean(viabilities),
        "tiers": _mean([_TIER_WORTH[tier] for tier in tiers]),
        "tests": success,
    }
    return _weighted(parts, _QUALITY)


def _efficiency(seconds: float) -> float:
    if seconds <= _QUICK_SECONDS:
        return 1.0
    return max(_QUICK_SECONDS / seconds, _LEAST_EFFICIENCY)


def _weighted(parts: Mapping[str, float | None], weights: Mapping[str, float]) -> float | None:
    there = {name: value for name, value in parts.items() if value is not None}
    if not there:
        return None
    return sum(weights[name] * value for name, value in there.items()) / sum(
        weights[name] for name in there
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def day_trend(history: Sequence[DreamMetrics]) -> list[tuple[str, DreamMetrics]]:
    """The last figures of each day, oldest day first."""
    by_day: dict[str, DreamMetrics] = {}
    for each in sorted(history, key=lambda each: each.measured_at):
        by_day[each.measured_at.date().isoformat()] = each
    return list(by_day.items())
