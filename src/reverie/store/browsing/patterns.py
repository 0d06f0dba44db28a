"""What keeps failing, most frequent first, page by page."""

from sqlalchemy import select

from reverie.errors import UsageError
from reverie.model.failure import FailurePattern
from reverie.store import schema
from reverie.store.browsing.walking import Condition, Leaf, Walk, place_of, walk
from reverie.store.journal import Journal
from reverie.store.queries import pattern_of
from reverie.store.text import one_line, storable

_ORDER = ("frequency", "last_seen_us", "signature")
_ALL = tuple(column.name for column in schema.failure_patterns.columns)


def browse_patterns(
    journal: Journal, category: str | None = None, after: str | None = None
) -> Leaf[FailurePattern]:
    """One page of failures, of one category or of all."""
    besides: tuple[Condition, ...] = ()
    if category is not None:
        besides = (lambda columns: columns["category"] == storable(category),)
    index = "failure_patterns_by_frequency"
    plan = Walk(schema.failure_patterns, _ALL, _ORDER, index, (), besides)
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
