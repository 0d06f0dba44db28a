"""Figures cycle by cycle, oldest first: what a plot over time is drawn from."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, func, select

from reverie.store import cycle_tables as tables
from reverie.store.browsing.dreams import place_name
from reverie.store.clock import from_microseconds
from reverie.store.journal import Journal
from reverie.store.kept_tallies import in_force
from reverie.store.procedure_tables import dream_metrics
from reverie.store.rows import believed

CYCLES = 60


@dataclass(frozen=True, slots=True)
class CyclePoint:
    """One cycle on a plot. What was not measured is None."""

    cycle_id: str
    started_at: datetime
    line_coverage: float | None
    branch_coverage: float | None
    mutation: float | None
    roi: float | None
    raroi: float | None
    promoted: int
    covered: Mapping[str, Any]
    """Shares of lines and branches by module."""
    is_result: bool = True
    """Whether coverage is that with what was promoted; otherwise as the repository stood."""

    def value(self, name: str) -> float | None:
        """A figure by its name."""
        found = getattr(self, name)
        return None if found is None else float(found)


def load_series(journal: Journal, repository: Path, most: int = CYCLES) -> tuple[CyclePoint, ...]:
    """The newest cycles of a repository that came to an end, oldest first."""
    with journal.reading() as connection:
        found = connection.execute(_newest(repository, most)).mappings().all()
        ids = [row["id"] for row in found]
        worth, noticed = _worth(connection, ids), _noticed(connection, ids)
    return believed(
        journal,
        lambda: tuple(
            _point(row, worth.get(row["id"]), noticed.get(row["id"])) for row in reversed(found)
        ),
    )


def measured_alike(series: Sequence[CyclePoint], name: str) -> list[tuple[CyclePoint, float]]:
    """The cycles that measured a figure, with its value, oldest first.

    Coverage with what was promoted is not followed by coverage without: until somebody merges
    the promotions, that would look like a fall.
    """
    found = [(each, value) for each in series if (value := each.value(name)) is not None]
    if name in ("line_coverage", "branch_coverage") and any(each.is_result for each, _ in found):
        return [(each, value) for each, value in found if each.is_result]
    return found


def load_coverage(journal: Journal, repository: Path, most: int = CYCLES) -> tuple[CyclePoint, ...]:
    """As `load_series`, with what was covered and nothing of what it was worth."""
    with journal.reading() as connection:
        found = connection.execute(_newest(repository, most)).mappings().all()
    return believed(journal, lambda: tuple(_point(row, None, None) for row in reversed(found)))


def latest_health(journal: Journal) -> tuple[datetime, float | None] | None:
    """The compound health that was measured last; None: nobody has."""
    table = dream_metrics
    query = select(table.c.measured_at_us, table.c.compound_health_score)
    with journal.reading() as connection:
        row = connection.execute(query.order_by(table.c.measured_at_us.desc()).limit(1)).first()
    return None if row is None else (from_microseconds(row[0]), row[1])


def _newest(repository: Path, most: int) -> Select[Any]:
    cycles = tables.cycles
    return (
        select(
            cycles.c.id,
            cycles.c.started_at_us,
            func.coalesce(cycles.c.result, cycles.c.baseline, "{}").label("figures"),
            cycles.c.result.is_not(None).label("is_result"),
        )
        .where(cycles.c.repository == place_name(repository))
        .order_by(cycles.c.started_at_us.desc(), cycles.c.id.desc())
        .limit(most)
    )


def _point(row: Any, worth: Any, noticed: float | None) -> CyclePoint:
    after = _figures(row["figures"])
    return CyclePoint(
        cycle_id=row["id"],
        started_at=from_microseconds(row["started_at_us"]),
        line_coverage=after.get("line_coverage"),
        branch_coverage=after.get("branch_coverage"),
        mutation=noticed,
        roi=None if worth is None else worth[1],
        raroi=None if worth is None else worth[2],
        promoted=0 if worth is None else worth[0],
        covered=after.get("covered") or {},
        is_result=bool(row["is_result"]),
    )


@lru_cache(maxsize=2 * CYCLES)
def _figures(text: str) -> Mapping[str, Any]:
    """What a cycle measured. A cycle that is over is read once, and shown many times."""
    found: Mapping[str, Any] = json.loads(text)
    return found


@lru_cache(maxsize=8192)
def _judged(text: str) -> tuple[float, float]:
    """How many mutants a trial judged, and the share that was noticed; evidence never changes."""
    measures = json.loads(text)
    judged, share = measures.get("mutants.judged"), measures.get("mutants.score.after")
    if isinstance(judged, int | float) and isinstance(share, int | float):
        return judged, share
    return 0.0, 0.0


def _worth(connection: Connection, ids: Sequence[str]) -> Mapping[str, Any]:
    if not ids:
        return {}
    table = tables.promotions
    sums = (func.count(), func.sum(table.c.roi), func.sum(table.c.raroi))
    query = select(table.c.cycle_id, *sums).where(table.c.cycle_id.in_(ids), in_force())
    found = connection.execute(query.group_by(table.c.cycle_id))
    return {row[0]: (row[1], row[2], row[3]) for row in found}


def _noticed(connection: Connection, ids: Sequence[str]) -> Mapping[str, float]:
    """The share of mutants that tests notice, over all promotions of each cycle."""
    if not ids:
        return {}
    offered, evidence = tables.promotions, tables.evidence
    here = (evidence.c.cycle_id == offered.c.cycle_id) & (evidence.c.dream_id == offered.c.dream_id)
    query = select(offered.c.cycle_id, evidence.c.measures).join(evidence, here)
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for cycle_id, text in connection.execute(query.where(offered.c.cycle_id.in_(ids), in_force())):
        judged, share = _judged(text)
        sums[cycle_id][0] += judged
        sums[cycle_id][1] += judged * share
    return {cycle_id: part / whole for cycle_id, (whole, part) in sums.items() if whole}
