"""Counts, success rate and durations over the journal.

Two indexes hold all that is counted here, so neither the number of columns nor the length
of error messages matters; see `schema` for what each is for.
"""

import math
from collections import Counter
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.sql import ColumnElement

from reverie.errors import StoreError
from reverie.model.history import ExecutionStatistics
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome
from reverie.store import schema
from reverie.store.clock import to_microseconds
from reverie.store.journal import Journal
from reverie.store.text import one_line


def statistics(journal: Journal, since: datetime | None = None) -> ExecutionStatistics:
    """Figures over all executions, or over those that started at `since` or later."""
    since_us = None if since is None else to_microseconds(since)
    try:
        with journal.reading() as connection:
            return _summary(connection, since_us)
    except (ValueError, TypeError) as error:
        reason = f"holds a row nobody wrote: {one_line(error)}"
        raise StoreError(f"the journal {journal.location} {reason}") from error


def _group_query(since_us: int | None) -> Select[Any]:
    """Counts and total duration per outcome, category and tier."""
    table = schema.executions
    by = (table.c.outcome, table.c.error_category, table.c.isolation)
    counts = (
        func.count().label("executions"),
        func.count(table.c.duration_ms).label("durations"),
        func.sum(table.c.duration_ms).label("total_ms"),
    )
    return (
        select(*by, *counts)
        .where(*_since(table.c.started_at_us, since_us))
        .group_by(*by)
        # SQLite would rather search by time and then sort, which is slower for all but the
        # shortest stretches.
        .with_hint(table, "INDEXED BY executions_by_group", "sqlite")
    )


def _percentile_query(since_us: int | None, rank: int, durations: int) -> Select[Any]:
    """The duration of this rank (from 0), walking from whichever end is nearer."""
    table = schema.executions
    duration = table.c.duration_ms
    from_below = rank < durations - rank
    return (
        select(duration)
        .where(duration.is_not(None), *_since(table.c.started_at_us, since_us))
        .order_by(duration.asc() if from_below else duration.desc())
        .offset(rank if from_below else durations - 1 - rank)
        .limit(1)
        .with_hint(table, "INDEXED BY executions_by_duration", "sqlite")
    )


def _percentile(
    connection: Connection, since_us: int | None, share: float, durations: int
) -> float | None:
    if durations == 0:
        return None
    rank = math.ceil(share * durations) - 1
    value = connection.execute(_percentile_query(since_us, rank, durations)).scalar_one()
    return float(value)


def _pattern_query(since_us: int | None) -> Select[Any]:
    table = schema.failure_patterns
    return select(func.count()).select_from(table).where(*_since(table.c.last_seen_us, since_us))


def _since(column: ColumnElement[int], since_us: int | None) -> list[ColumnElement[bool]]:
    return [] if since_us is None else [column >= since_us]


def _summary(connection: Connection, since_us: int | None) -> ExecutionStatistics:
    groups = connection.execute(_group_query(since_us)).all()
    by_outcome: Counter[TestOutcome] = Counter()
    by_category: Counter[ErrorCategory] = Counter()
    by_isolation: Counter[IsolationTier] = Counter()
    for group in groups:
        by_outcome[TestOutcome(group.outcome)] += group.executions
        by_isolation[IsolationTier(group.isolation)] += group.executions
        if group.error_category is not None:
            by_category[ErrorCategory(group.error_category)] += group.executions
    executions = by_outcome.total()
    durations = sum(group.durations for group in groups)
    total_ms = sum(group.total_ms for group in groups if group.total_ms is not None)
    return ExecutionStatistics(
        executions=executions,
        by_outcome=dict(by_outcome),
        by_category=dict(by_category),
        by_isolation=dict(by_isolation),
        success_rate=by_outcome[TestOutcome.SUCCESS] / executions if executions else None,
        durations=durations,
        mean_duration_ms=total_ms / durations if durations else None,
        p50_duration_ms=_percentile(connection, since_us, 0.50, durations),
        p95_duration_ms=_percentile(connection, since_us, 0.95, durations),
        failure_patterns=connection.execute(_pattern_query(since_us)).scalar_one(),
    )
