"""Executions, newest first, by what a person filters for; and what keeps failing."""

from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import func, or_, select

from reverie.errors import UsageError
from reverie.model.history import ExecutionRecord, FailurePattern
from reverie.model.outcome import TestOutcome
from reverie.store import schema
from reverie.store.browsing.walking import Condition, Leaf, Walk, place_of, walk
from reverie.store.journal import Journal
from reverie.store.queries import pattern_of, record_of
from reverie.store.scalars import one_line, storable

_ORDER = ("started_at_us", "seq")
_CONVERTED = {"started_at"}
_NAMES = tuple(field.name for field in fields(ExecutionRecord) if field.name not in _CONVERTED)
# The narrowest first: most executions succeed, and most share one tier.
_INDEXES = (
    ("code_hash", "executions_by_code"),
    ("failure_signature", "executions_by_signature"),
    ("outcome", "executions_by_outcome"),
    ("isolation", "executions_by_isolation"),
)


@dataclass(frozen=True, slots=True)
class ExecutionFilter:
    """What a person looks for. None: anything."""

    outcome: str | None = None
    isolation: str | None = None
    code_hash: str | None = None
    failure_signature: str | None = None
    since_us: int | None = None
    until_us: int | None = None
    text: str | None = None
    """Part of the entry or of the error's message."""


def list_executions(
    journal: Journal, wanted: ExecutionFilter, after: str | None = None
) -> Leaf[ExecutionRecord]:
    """One page of executions."""
    place = place_of(after, int, int)
    with journal.reading() as connection:
        found = walk(connection, _plan(wanted), place)
    return Leaf(tuple(record_of(row, journal) for row in found.rows), found.after, found.looked_at)


def find_executions(journal: Journal, prefix: str, most: int = 10) -> tuple[ExecutionRecord, ...]:
    """Executions whose id begins so."""
    table, low = schema.executions, storable(prefix)
    in_range = (table.c.id >= low, table.c.id < low + "\U0010ffff")
    query = select(table).where(*in_range).order_by(table.c.id).limit(most)
    with journal.reading() as connection:
        found = connection.execute(query).mappings().all()
    return tuple(record_of(row, journal) for row in found)


def _plan(wanted: ExecutionFilter) -> Walk:
    given = {
        name: storable(value)
        for name, _ in _INDEXES
        if (value := getattr(wanted, name)) is not None
    }
    order = [name for name, _ in _INDEXES if name in given]
    if given.get("outcome") == TestOutcome.SUCCESS and "isolation" in given and len(order) == 2:
        order.reverse()
    index = dict(_INDEXES).get(order[0], "") if order else "executions_by_time"
    along = [_is(order[0], given[order[0]])] if order else []
    if order and order[0] == "failure_signature":
        along.append(lambda columns: columns["failure_signature"].is_not(None))
    along += _between(wanted)
    besides = [_is(name, given[name]) for name in order[1:]]
    if wanted.text:
        besides.append(_mentions(storable(wanted.text)))
    return Walk(schema.executions, _NAMES, _ORDER, index, tuple(along), tuple(besides))


def _is(name: str, value: Any) -> Condition:
    return lambda columns: columns[name] == value


def _between(wanted: ExecutionFilter) -> list[Condition]:
    found: list[Condition] = []
    since, until = wanted.since_us, wanted.until_us
    if since is not None:
        found.append(lambda columns: columns["started_at_us"] >= since)
    if until is not None:
        found.append(lambda columns: columns["started_at_us"] <= until)
    return found


def _mentions(text: str) -> Condition:
    return lambda columns: or_(
        *(
            func.lower(columns[name]).contains(text.lower(), autoescape=True)
            for name in ("entry", "error_type", "error_message")
        )
    )


_PATTERN_ORDER = ("frequency", "last_seen_us", "signature")
_PATTERN_COLUMNS = tuple(column.name for column in schema.failure_patterns.columns)


def browse_patterns(
    journal: Journal, category: str | None = None, after: str | None = None
) -> Leaf[FailurePattern]:
    """One page of failures, of one category or of all."""
    besides: tuple[Condition, ...] = ()
    if category is not None:
        besides = (lambda columns: columns["category"] == storable(category),)
    index = "failure_patterns_by_frequency"
    plan = Walk(schema.failure_patterns, _PATTERN_COLUMNS, _PATTERN_ORDER, index, (), besides)
    with journal.reading() as connection:
        found = walk(connection, plan, place_of(after, int, int, str))
    return Leaf(tuple(pattern_of(row, journal) for row in found.rows), found.after, found.looked_at)


def load_pattern(journal: Journal, signature: str) -> FailurePattern:
    """One failure by its signature."""
    table = schema.failure_patterns
    query = select(table).where(table.c.signature == storable(signature))
    with journal.reading() as connection:
        row = connection.execute(query).mappings().first()
    if row is None:
        raise UsageError(f"no failure has the signature {one_line(signature)[:80]!r}")
    return pattern_of(row, journal)
