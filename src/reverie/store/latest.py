"""The newest cycle of each repository, and the newest health of its dreams."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from reverie.store import schema
from reverie.store.journal import Journal


@dataclass(frozen=True, slots=True)
class LatestCycle:
    """How a repository stood when its last cycle that measured it did so."""

    repository: str
    started_us: int
    ended_us: int | None
    seconds: float
    figures: Mapping[str, Any]
    """Of the suite: with the promotions where there were any, otherwise as it stood."""


def latest_cycles(connection: Connection) -> tuple[LatestCycle, ...]:
    """One per repository, by name."""
    table = schema.cycles
    newest = (
        select(table.c.repository, func.max(table.c.started_at_us).label("started"))
        .where(table.c.baseline.is_not(None))
        .group_by(table.c.repository)
        .subquery()
    )
    query = (
        select(table)
        .join(
            newest,
            (newest.c.repository == table.c.repository)
            & (newest.c.started == table.c.started_at_us),
        )
        .order_by(table.c.repository)
    )
    return tuple(_latest(row) for row in connection.execute(query).mappings())


def _latest(row: Mapping[Any, Any]) -> LatestCycle:
    return LatestCycle(
        repository=row["repository"],
        started_us=row["started_at_us"],
        ended_us=row["ended_at_us"],
        seconds=row["seconds"],
        figures={**json.loads(row["baseline"]), **json.loads(row["result"] or "{}")},
    )


def newest_figures(journal: Journal) -> tuple[int, ...]:
    """When a cycle last began, when one ended, and when figures of one were last recorded."""
    columns = (
        schema.cycles.c.started_at_us,
        schema.cycles.c.ended_at_us,
        schema.foresight_cycles.c.created_at_us,
    )
    with journal.reading() as connection:
        newest = [connection.execute(select(func.max(each))).scalar() for each in columns]
    return tuple(each or 0 for each in newest)


def latest_health(connection: Connection) -> float | None:
    """The compound health that was measured last; None where nobody measured."""
    table = schema.dream_metrics
    query = select(table.c.compound_health_score).order_by(table.c.measured_at_us.desc()).limit(1)
    value = connection.execute(query).scalar()
    return None if value is None else float(value)
