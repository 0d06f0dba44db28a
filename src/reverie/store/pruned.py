"""Executions by outcome, tier, target and duration: those recorded, and those pruned away.

What is pruned is added up first, so that a counter over the journal never falls.
"""

import json
from dataclasses import astuple, dataclass, replace
from typing import Any

from sqlalchemy import Connection, Select, delete, select
from sqlalchemy.sql import ColumnElement

from reverie.store.schema import meta
from reverie.store.statements import LAST_PRUNE_KEY
from reverie.store.tallies import bucket_query, single_query

PRUNED_KEY = "pruned_executions"


@dataclass(frozen=True, slots=True)
class Bucket:
    """Executions that ended alike and took about as long."""

    outcome: str
    tier: str
    target: str
    place: int
    """Of the bound in `BOUNDS_SECONDS` that they are within; -1: not measured."""
    executions: int
    total_ms: float
    cpu_seconds: float

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What they have in common."""
        return self.outcome, self.tier, self.target, self.place

    def plus(self, other: "Bucket") -> "Bucket":
        """Both together."""
        return replace(
            self,
            executions=self.executions + other.executions,
            total_ms=self.total_ms + other.total_ms,
            cpu_seconds=self.cpu_seconds + other.cpu_seconds,
        )


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a look found, and the last row that it saw."""

    buckets: tuple[Bucket, ...]
    last: int


def recorded_buckets(connection: Connection, after: int) -> Recorded:
    """Executions recorded after a row."""
    return _counted(connection, bucket_query(after))


def pruned_buckets(connection: Connection) -> tuple[str | None, tuple[Bucket, ...]]:
    """Which prune was the last, and all that was ever pruned."""
    wanted = (LAST_PRUNE_KEY, PRUNED_KEY)
    query = select(meta.c.key, meta.c.value).where(meta.c.key.in_(wanted))
    found = {row.key: row.value for row in connection.execute(query)}
    return found.get(LAST_PRUNE_KEY), _parsed(found.get(PRUNED_KEY))


def remember_pruned(connection: Connection, chosen: "ColumnElement[bool]") -> None:
    """Add up what is about to be removed, in the same transaction."""
    _, before = pruned_buckets(connection)
    merged = {each.key: each for each in before}
    for each in _counted(connection, single_query(chosen)).buckets:
        merged[each.key] = merged[each.key].plus(each) if each.key in merged else each
    text = json.dumps([astuple(each) for each in merged.values()])
    connection.execute(delete(meta).where(meta.c.key == PRUNED_KEY))
    connection.execute(meta.insert().values(key=PRUNED_KEY, value=text))


def _counted(connection: Connection, query: Select[Any]) -> Recorded:
    rows = connection.execute(query).mappings().all()
    buckets = tuple(
        Bucket(
            row["outcome"],
            row["isolation"],
            row["target"],
            row["bucket"],
            row["executions"],
            row["total_ms"] or 0.0,
            row["cpu_seconds"] or 0.0,
        )
        for row in rows
    )
    return Recorded(buckets, max((row["last"] for row in rows), default=0))


def _parsed(text: str | None) -> tuple[Bucket, ...]:
    return () if text is None else tuple(Bucket(*row) for row in json.loads(text))
