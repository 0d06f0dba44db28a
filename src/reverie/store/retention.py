"""Forgetting old executions, on request only, and the counts that stay of those forgotten.

Failure patterns stay: what was learnt outlives the runs it was learnt from. Executions are added
up by outcome, tier, target and duration where it costs nobody a wait, at the end of a cycle and
before a prune, and kept with the row up to which they are counted. A look counts only what came
since, and a counter never falls, whatever is pruned.
"""

import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Select, delete, exists, func, select, text

from reverie.store.journal import Journal
from reverie.store.scalars import to_microseconds
from reverie.store.schema import code, executions, meta
from reverie.store.tallies import bucket_query
from reverie.store.writer import LAST_PRUNE_KEY

COUNTED_KEY = "counted_executions"


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


def counted_buckets(connection: Connection) -> tuple[str | None, Recorded]:
    """Which prune was the last; all that was counted so far, what was pruned among it."""
    wanted = (LAST_PRUNE_KEY, COUNTED_KEY)
    query = select(meta.c.key, meta.c.value).where(meta.c.key.in_(wanted))
    found = {row.key: row.value for row in connection.execute(query)}
    return found.get(LAST_PRUNE_KEY), _parsed(found.get(COUNTED_KEY))


def count_executions(connection: Connection) -> None:
    """Count what is new, in a writing transaction."""
    if connection.dialect.name == "postgresql":
        # A row can be seen later than one with a higher number: wait for whoever is writing.
        connection.execute(text("LOCK TABLE executions IN SHARE MODE"))
    _, before = counted_buckets(connection)
    new = recorded_buckets(connection, before.last)
    if new.buckets:
        _keep(connection, Recorded(merged((*before.buckets, *new.buckets)), new.last))


def settle_after_prune(connection: Connection) -> None:
    """The last counted row may be gone, and SQLite gives its number to the next."""
    _, before = counted_buckets(connection)
    last = connection.execute(select(func.max(executions.c.seq))).scalar() or 0
    _keep(connection, replace(before, last=last))


def merged(buckets: Iterable[Bucket]) -> tuple[Bucket, ...]:
    """Those of a kind together."""
    found: dict[tuple[str, str, str, int], Bucket] = {}
    for each in buckets:
        before = found.get(each.key)
        found[each.key] = each if before is None else before.plus(each)
    return tuple(found.values())


def _keep(connection: Connection, counted: Recorded) -> None:
    buckets = [astuple(each) for each in counted.buckets]
    told = json.dumps({"last": counted.last, "buckets": buckets})
    connection.execute(delete(meta).where(meta.c.key == COUNTED_KEY))
    connection.execute(meta.insert().values(key=COUNTED_KEY, value=told))


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


def _parsed(told: str | None) -> Recorded:
    if told is None:
        return Recorded((), 0)
    found = json.loads(told)
    return Recorded(tuple(Bucket(*row) for row in found["buckets"]), int(found["last"]))


ROWS_AT_ONCE = 5_000
"""Removed in one transaction: other writers wait no longer than this takes."""


def prune(journal: Journal, before: datetime) -> int:
    """Remove executions that started before a moment, and sources nobody refers to any more.

    Returns the number of executions removed.
    """
    before_us = to_microseconds(before)
    removed = 0
    while True:
        with journal.writing() as connection:
            count = _remove_some(connection, before_us)
        removed += count
        if count < ROWS_AT_ONCE:
            break
    with journal.writing() as connection:
        used = exists().where(executions.c.code_hash == code.c.code_hash)
        connection.execute(delete(code).where(~used))
        _announce(connection)
    return removed


def _remove_some(connection: Connection, before_us: int) -> int:
    oldest = (
        select(executions.c.seq)
        .where(executions.c.started_at_us < before_us)
        .order_by(executions.c.started_at_us)
        .limit(ROWS_AT_ONCE)
    )
    count_executions(connection)
    removed = connection.execute(delete(executions).where(executions.c.seq.in_(oldest))).rowcount
    settle_after_prune(connection)
    return removed


def _announce(connection: Connection) -> None:
    """Recorders remember which sources they stored; this tells them to think again."""
    connection.execute(delete(meta).where(meta.c.key == LAST_PRUNE_KEY))
    connection.execute(meta.insert().values(key=LAST_PRUNE_KEY, value=uuid4().hex))
