"""How healthy the dream journal is: novelty, quality, leverage and efficiency in one figure.

A part without data is left out, the weights of the others are renormalised, and the metrics say so.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from reverie.model.procedure import HIGH_NOVELTY, DreamMetrics, DreamProcedure, DreamTier

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
