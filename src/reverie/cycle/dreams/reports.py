"""The dream journal in reports: what happened by day, and its health now and over days.

A day counts what was dreamt, evaluated and tested, cycles included.
"""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reverie.model.codec import pick
from reverie.model.cycle import CycleHeader
from reverie.model.dream import DreamStatus
from reverie.model.procedure import HEALTHY_ABOVE, DreamMetrics
from reverie.scoring.procedures import WEIGHTS, day_trend, measure_health
from reverie.store import DreamStore
from reverie.store.cycles.cycles import list_cycles, load_cycle

_MOST = 100_000
_NAMES = ("runs", "dreamt", "evaluated", "tested", "passed", "cycle_dreams", "promoted")


async def journal_days(store: DreamStore, repository: Path, limit: int) -> list[dict[str, Any]]:
    """The last days on which something happened, newest first."""
    counted: Counter[tuple[str, str]] = Counter()
    for run in await store.get_generation_runs(_MOST):
        counted[_day(run.started_at), "runs"] += 1
    for dream in await store.list_dreams(_MOST):
        if dream.created_at is not None:
            counted[_day(dream.created_at), "dreamt"] += 1
        if dream.evaluated_at is not None:
            counted[_day(dream.evaluated_at), "evaluated"] += 1
    for test in await store.get_tests(limit=_MOST):
        counted[_day(test.tested_at), "tested"] += 1
        counted[_day(test.tested_at), "passed"] += test.passed
    for header in list_cycles(store.journal, repository):
        _count_cycle(store, header, counted)
    days = sorted({day for day, _ in counted}, reverse=True)[:limit]
    return [{"day": day, **{name: counted[day, name] for name in _NAMES}} for day in days]


def _count_cycle(store: DreamStore, header: CycleHeader, counted: Counter[tuple[str, str]]) -> None:
    dreams = load_cycle(store.journal, header.id).dreams
    day = _day(header.started_at)
    counted[day, "cycle_dreams"] += len(dreams)
    counted[day, "promoted"] += sum(each.status is DreamStatus.PROMOTED for each in dreams)


def _day(moment: datetime) -> str:
    return moment.date().isoformat()


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
