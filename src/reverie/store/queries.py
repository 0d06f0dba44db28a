"""Executions looked back at: what was executed, what keeps failing, counts, rates and durations.

Every query walks an index in the order of its answer, so that the first page of a million
executions costs no more than the first page of a hundred. Two indexes hold all that is counted,
so neither the number of columns nor the length of error messages matters; see `schema`.
"""

import math
from collections import Counter
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, func, select, tuple_
from sqlalchemy.sql import ColumnElement

from reverie.errors import StoreError, UsageError
from reverie.model.history import (
    ExecutionDetails,
    ExecutionRecord,
    ExecutionStatistics,
    FailurePattern,
)
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome
from reverie.store import schema
from reverie.store.journal import Journal
from reverie.store.rows import Rows, believed, json_map
from reverie.store.scalars import one_line, storable, to_microseconds

MOST_ROWS = 100_000
_HIGHEST_CHARACTER = "\U0010ffff"
_RECORDS = Rows(schema.executions, ExecutionRecord)
_PATTERNS = Rows(
    schema.failure_patterns,
    FailurePattern,
    error_category="category",
    error_message="message",
    code_snippet="snippet",
)


def history(
    journal: Journal,
    limit: int = 50,
    before: str | None = None,
    outcome: TestOutcome | None = None,
    isolation: IsolationTier | None = None,
    code_hash: str | None = None,
    since: datetime | None = None,
) -> tuple[ExecutionRecord, ...]:
    """Executions, newest first.

    `before` is the id (or a unique prefix) of the last execution of the page before;
    `since` leaves out what started earlier.
    """
    query = _filtered(outcome, isolation, code_hash).limit(_checked_limit(limit))
    if since is not None:
        query = query.where(schema.executions.c.started_at_us >= to_microseconds(since))
    with journal.reading() as connection:
        if before is not None:
            query = query.where(_older_than(connection, before))
        rows = connection.execute(query).mappings().all()
    return tuple(record_of(row, journal) for row in rows)


def _filtered(
    outcome: TestOutcome | None, isolation: IsolationTier | None, code_hash: str | None
) -> Select[Any]:
    """Executions that pass the filters, newest first, along the index of the narrowest one.

    Named for SQLite, which cannot know that most executions share one tier.
    """
    columns = schema.executions.c
    filters = (
        ("executions_by_code", columns.code_hash, code_hash and storable(code_hash)),
        ("executions_by_outcome", columns.outcome, outcome and outcome.value),
        ("executions_by_isolation", columns.isolation, isolation and isolation.value),
    )
    given = [each for each in filters if each[2] is not None]
    index = given[0][0] if given else "executions_by_time"
    return (
        select(schema.executions)
        .where(*(column == value for _, column, value in given))
        .order_by(columns.started_at_us.desc(), columns.seq.desc())
        .with_hint(schema.executions, f"INDEXED BY {index}", "sqlite")
    )


def details(journal: Journal, execution_id: str) -> ExecutionDetails:
    """Everything about one execution, by its id or a prefix that no other id shares."""
    with journal.reading() as connection:
        full_id = _resolve(connection, execution_id)
        row = connection.execute(_details_query(full_id)).mappings().one()
    source = row["source"]
    terms = believed(journal, lambda: {name: json_map(row[name]) for name in ("policy", "limits")})
    return ExecutionDetails(
        record=record_of(row, journal),
        policy=terms["policy"],
        limits=terms["limits"],
        source=source,
        source_truncated=source is not None and row["characters"] > len(source),
        pattern=None if row["signature"] is None else pattern_of(row, journal),
    )


def failure_patterns(journal: Journal, limit: int = 50) -> tuple[FailurePattern, ...]:
    """Failures that were seen, most frequent first."""
    table = schema.failure_patterns
    order = (table.c.frequency.desc(), table.c.last_seen_us.desc(), table.c.signature.desc())
    query = select(table).order_by(*order).limit(_checked_limit(limit))
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return tuple(pattern_of(row, journal) for row in rows)


def find_pattern(journal: Journal, signature: str) -> FailurePattern:
    """The failures with that signature."""
    table = schema.failure_patterns
    with journal.reading() as connection:
        query = select(table).where(table.c.signature == storable(signature))
        row = connection.execute(query).mappings().first()
    if row is None:
        raise UsageError(f"no failure has the signature {one_line(signature)!r}")
    return pattern_of(row, journal)


def _details_query(full_id: str) -> Select[Any]:
    executions, terms, code = schema.executions, schema.terms, schema.code
    patterns = schema.failure_patterns
    return (
        select(
            executions, terms.c.policy, terms.c.limits, code.c.source, code.c.characters, patterns
        )
        .join(terms, terms.c.terms_hash == executions.c.terms_hash)
        .join(code, code.c.code_hash == executions.c.code_hash, isouter=True)
        .join(patterns, patterns.c.signature == executions.c.failure_signature, isouter=True)
        .where(executions.c.id == full_id)
    )


def _older_than(connection: Connection, execution_id: str) -> ColumnElement[bool]:
    table = schema.executions
    place = (table.c.started_at_us, table.c.seq)
    full_id = _resolve(connection, execution_id)
    row = connection.execute(select(*place).where(table.c.id == full_id)).one()
    return tuple_(*place) < tuple_(*row)


def _resolve(connection: Connection, prefix: str) -> str:
    """The one id that starts with `prefix`; an id that equals it wins over longer ones."""
    table = schema.executions
    low = storable(prefix)
    if not low:
        raise UsageError("an execution id is needed, not an empty text")
    in_range = (table.c.id >= low, table.c.id < low + _HIGHEST_CHARACTER)
    query = select(table.c.id).where(*in_range).order_by(table.c.id).limit(2)
    found = list(connection.scalars(query))
    if not found:
        raise UsageError(f"no execution has the id {one_line(low)!r}")
    if len(found) > 1 and found[0] != low:
        raise UsageError(f"more than one execution has an id that starts with {one_line(low)!r}")
    return str(found[0])


def _checked_limit(limit: int) -> int:
    if not 1 <= limit <= MOST_ROWS:
        raise UsageError(f"a limit is from 1 to {MOST_ROWS}, not {limit}")
    return limit


def record_of(row: RowMapping, journal: Journal) -> ExecutionRecord:
    """The execution of a row."""
    return believed(journal, lambda: _RECORDS.value(row))


def pattern_of(row: RowMapping, journal: Journal) -> FailurePattern:
    """The failure of a row."""
    return believed(journal, lambda: _PATTERNS.value(row))


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
