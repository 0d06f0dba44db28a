"""Finds what an id names, whatever kind of thing it is: ids are printed without saying which."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Column, select

from reverie.errors import UsageError
from reverie.store import schema
from reverie.store.browsing.cycles import find_cycles, find_findings
from reverie.store.browsing.dreams import find_dreams
from reverie.store.journal import Journal
from reverie.store.scalars import one_line, storable
from reverie.store.tables.cycle_tables import cycles, promotions

SHORTEST = 4
"""Of a beginning that is taken for an id."""


class NamedKind(StrEnum):
    """What an id can name."""

    CHANGE = "change"
    CYCLE = "cycle"
    FINDING = "finding"
    EXECUTION = "execution"
    FAILURE = "failure"
    """A pattern of failures, by its signature."""


@dataclass(frozen=True, slots=True)
class Named:
    """One thing of the journal."""

    kind: NamedKind
    id: str
    cycle_id: str | None = None
    """The newest cycle that knows it, where it belongs to one."""


def find_named(journal: Journal, repository: Path, given: str) -> Named:
    """The thing with that id, or with the only one that begins so; also by branch or commit."""
    if len(given) < SHORTEST:
        raise UsageError(f"{given!r} is too short for an id: {SHORTEST} characters at least")
    found = {(each.kind, each.id): each for each in _matching(journal, repository, given)}
    if not found:  # findings have no index by id: they are walked through when nothing else is it
        lines = find_findings(journal, repository, given)
        named = (Named(NamedKind.FINDING, each.id, each.cycle_id) for each in lines)
        found = {(each.kind, each.id): each for each in named}
    exact = [each for each in found.values() if each.id == given]
    candidates = exact or list(found.values())
    if not candidates:
        raise UsageError(
            f"nothing here has the id {one_line(given)[:80]!r} (no change, cycle, finding, "
            f"execution or failure in {journal.location})"
        )
    if len(candidates) > 1:
        few = ", ".join(f"{each.kind} {each.id}" for each in candidates[:3])
        raise UsageError(f"{one_line(given)[:80]!r} may be {few}: give more of it")
    return candidates[0]


def _matching(journal: Journal, repository: Path, given: str) -> Iterator[Named]:
    for line in sorted(find_dreams(journal, repository, given), key=lambda each: each.created_at):
        yield Named(NamedKind.CHANGE, line.id, line.cycle_id)
    for header in find_cycles(journal, repository, given):
        yield Named(NamedKind.CYCLE, header.id, header.id)
    yield from _offered(journal, repository, given)
    yield from _recorded(journal, NamedKind.EXECUTION, schema.executions.c.id, given)
    signature = schema.failure_patterns.c.signature
    yield from _recorded(journal, NamedKind.FAILURE, signature, given)


def _offered(journal: Journal, repository: Path, given: str) -> Iterator[Named]:
    """The cycle that made a branch, and the change of a commit."""
    text = storable(given)
    query = (
        select(promotions.c.cycle_id, promotions.c.dream_id, promotions.c.branch)
        .join(cycles, cycles.c.id == promotions.c.cycle_id)
        .where(cycles.c.repository == storable(str(repository.resolve())))
        .where(
            (promotions.c.branch == text) | promotions.c.commit_id.startswith(text, autoescape=True)
        )
    )
    with journal.reading() as connection:
        rows = connection.execute(query).all()
    for row in rows:
        if row.branch == text:
            yield Named(NamedKind.CYCLE, row.cycle_id, row.cycle_id)
        else:
            yield Named(NamedKind.CHANGE, row.dream_id, row.cycle_id)


def _recorded(
    journal: Journal, kind: NamedKind, column: Column[str], given: str
) -> Iterator[Named]:
    """What a column of ids has that begins so, along its index."""
    low = storable(given)
    query = select(column).where(column >= low, column < low + "\U0010ffff")
    with journal.reading() as connection:
        found = list(connection.scalars(query.order_by(column).limit(2)))
    for each in found:
        yield Named(kind, str(each))
