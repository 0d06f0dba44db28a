"""The health of the dream journal, measured now and over days."""

from datetime import UTC, datetime, timedelta
from typing import Any

from reverie.model.codec import pick
from reverie.model.procedure import HEALTHY_ABOVE, DreamMetrics
from reverie.scoring.health import WEIGHTS, day_trend, measure_health
from reverie.store import DreamStore

_DAYS = 30


async def measure(store: DreamStore) -> DreamMetrics:
    """The figures of this moment, kept for the trend."""
    dreams = await store.list_dreams()
    runs = [run.seconds for run in await store.get_generation_runs()]
    found = measure_health(dreams, runs, datetime.now(UTC))
    await store.record_metrics(found)
    return found


async def health_document(store: DreamStore, days: int = _DAYS) -> dict[str, Any]:
    """Health with its parts, and the last figures of each day."""
    found = await measure(store)
    history = await store.get_metrics(since=found.measured_at - timedelta(days=days), limit=10_000)
    return {
        **metrics_document(found),
        "weights": dict(WEIGHTS),
        "healthy_above": HEALTHY_ABOVE,
        "trend": [
            {
                "day": day,
                "compound_health_score": each.compound_health_score,
                "total_dreams": each.total,
                "tier1_test_success_rate": each.tier1_test_success_rate,
                "tier1_test_count": each.tier1_test_count,
            }
            for day, each in day_trend(history)
        ],
    }


def metrics_document(metrics: DreamMetrics) -> dict[str, Any]:
    """The figures of one moment."""
    return pick(
        metrics,
        "measured_at compound_health_score is_healthy parts left_out total_dreams=total by_tier "
        "average_novelty=mean_novelty high_novelty average_viability=mean_viability "
        "tier1_test_success_rate tier1_test_count matched_tier1 "
        "average_run_seconds=mean_run_seconds",
    )
