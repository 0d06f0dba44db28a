"""Looking back: what was executed, and what keeps failing.

Every query walks an index in the order of its answer, so that the first page of a million
executions costs no more than the first page of a hundred.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, select, tuple_
from sqlalchemy.sql import ColumnElement

from reverie.errors import UsageError
from reverie.model.failure import FailurePattern
from reverie.model.history import ExecutionDetails, ExecutionRecord
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.store import schema
from reverie.store.clock import to_microseconds
from reverie.store.journal import Journal
from reverie.store.rows import Rows, believed, json_map
from reverie.store.text import one_line, storable

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
