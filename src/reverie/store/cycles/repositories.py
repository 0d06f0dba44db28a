"""Repositories in the journal: the newest cycle and health of each, and one that moved."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Text, func, select, update

from reverie.store import schema
from reverie.store.journal import Journal
from reverie.store.scalars import place_name
from reverie.store.tables.columns import metadata
from reverie.store.tables.cycle_tables import cycles


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


IDENTITY = "identity"
"""The key in what a cycle notes of its environment."""


def has_past(journal: Journal, repository: Path) -> bool:
    """Whether a cycle of this very place is on record."""
    query = select(cycles.c.id).where(cycles.c.repository == place_name(repository)).limit(1)
    with journal.reading() as connection:
        return connection.execute(query).first() is not None


def former_place(journal: Journal, identity: str) -> str | None:
    """Where the newest cycle of that repository was run."""
    query = select(cycles.c.repository, cycles.c.environment).order_by(cycles.c.id.desc())
    with journal.reading() as connection:
        for place, environment in connection.execute(query):
            if json.loads(environment).get(IDENTITY) == identity:
                return str(place)
    return None


def move_past(journal: Journal, before: str, repository: Path) -> None:
    """From now on, all that is on record of one place is of another."""
    after = place_name(repository)
    with journal.writing() as connection:
        for table in metadata.sorted_tables:
            column = table.c.get("repository")
            if column is not None and isinstance(column.type, Text):
                moved = update(table).where(column == before).values(repository=after)
                connection.execute(moved)
