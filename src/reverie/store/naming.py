"""Finds what an id names, whatever kind of thing it is: ids are printed without saying which."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sqlalchemy import select

from reverie.errors import UsageError
from reverie.store import schema
from reverie.store.browsing.cycles import find_cycles
from reverie.store.browsing.dreams import find_dreams
from reverie.store.browsing.findings import find_findings
from reverie.store.cycle_tables import cycles, promotions
from reverie.store.journal import Journal
from reverie.store.text import one_line, storable

SHORTEST = 4
"""Of a beginning that is taken for an id."""


class NamedKind(StrEnum):
    """What an id can name."""

    CHANGE = "change"
    CYCLE = "cycle"
    FINDING = "finding"
    EXECUTION = "execution"


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
    exact = [each for each in found.values() if each.id == given]
    named = exact or list(found.values())
    if not named:
        raise UsageError(
            f"nothing here has the id {one_line(given)[:80]!r} (no change, cycle, finding or "
            f"execution in {journal.location})"
        )
    if len(named) > 1:
        few = ", ".join(f"{each.kind} {each.id}" for each in named[:3])
        raise UsageError(f"{one_line(given)[:80]!r} may be {few}: give more of it")
    return named[0]


def _matching(journal: Journal, repository: Path, given: str) -> Iterator[Named]:
    for line in sorted(find_dreams(journal, repository, given), key=lambda each: each.created_at):
        yield Named(NamedKind.CHANGE, line.id, line.cycle_id)
    for header in find_cycles(journal, repository, given):
        yield Named(NamedKind.CYCLE, header.id, header.id)
    for finding in find_findings(journal, repository, given):
        yield Named(NamedKind.FINDING, finding.id, finding.cycle_id)
    yield from _offered(journal, repository, given)
    yield from _executions(journal, given)


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


def _executions(journal: Journal, given: str) -> Iterator[Named]:
    table = schema.executions
    query = select(table.c.id).where(table.c.id.startswith(storable(given), autoescape=True))
    with journal.reading() as connection:
        found = list(connection.scalars(query.limit(2)))
    for each in found:
        yield Named(NamedKind.EXECUTION, str(each))
