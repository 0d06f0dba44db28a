"""Counts, success rate and durations over the journal.

Two indexes hold all that is counted here, so neither the number of columns nor the length
of error messages matters; see `schema` for what each is for.
"""

import math
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select
from sqlalchemy.sql import ColumnElement

from reverie.errors import StoreError
from reverie.model.history import ExecutionStatistics
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome
from reverie.store import schema
from reverie.store.clock import to_microseconds
from reverie.store.journal import Journal


def statistics(journal: Journal, since: datetime | None = None) -> ExecutionStatistics:
    """Figures over all executions, or over those that started at `since` or later."""
    since_us = None if since is None else to_microseconds(since)
    with journal.reading() as connection:
        groups = connection.execute(_group_query(since_us)).all()
        durations = sum(group.durations for group in groups)
        percentile = {
            share: _percentile(connection, since_us, share, durations) for share in (0.50, 0.95)
        }
        patterns = connection.execute(_pattern_query(since_us)).scalar_one()
    try:
        return _summary(groups, durations, percentile, patterns)
    except ValueError as error:
        raise StoreError(
            f"the journal {journal.location} holds a word of no enum: {error}"
        ) from error


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


def _summary(
    groups: Iterable[Row[Any]],
    durations: int,
    percentile: dict[float, float | None],
    patterns: int,
) -> ExecutionStatistics:
    by_outcome: Counter[TestOutcome] = Counter()
    by_category: Counter[ErrorCategory] = Counter()
    by_isolation: Counter[IsolationTier] = Counter()
    total_ms = 0.0
    for group in groups:
        by_outcome[TestOutcome(group.outcome)] += group.executions
        by_isolation[IsolationTier(group.isolation)] += group.executions
        if group.error_category is not None:
            by_category[ErrorCategory(group.error_category)] += group.executions
        total_ms += group.total_ms or 0.0
    executions = by_outcome.total()
    return ExecutionStatistics(
        executions=executions,
        by_outcome=dict(by_outcome),
        by_category=dict(by_category),
        by_isolation=dict(by_isolation),
        success_rate=by_outcome[TestOutcome.SUCCESS] / executions if executions else None,
        durations=durations,
        mean_duration_ms=total_ms / durations if durations else None,
        p50_duration_ms=percentile[0.50],
        p95_duration_ms=percentile[0.95],
        failure_patterns=patterns,
    )
