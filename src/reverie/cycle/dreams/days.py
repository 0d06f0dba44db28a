"""The dream journal by day: what was dreamt, evaluated and tested, cycles included."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

from reverie.model.cycle import CycleHeader
from reverie.model.dream import DreamStatus
from reverie.store import DreamStore
from reverie.store.cycle_queries import list_cycles, load_cycle

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
