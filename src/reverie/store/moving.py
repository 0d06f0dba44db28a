"""The past of a repository that lies elsewhere now: its rows are told the new place."""

import json
from pathlib import Path

from sqlalchemy import Text, select, update

from reverie.store.columns import metadata
from reverie.store.cycle_tables import cycles
from reverie.store.journal import Journal
from reverie.store.text import storable

IDENTITY = "identity"
"""The key in what a cycle notes of its environment."""


def has_past(journal: Journal, repository: Path) -> bool:
    """Whether a cycle of this very place is on record."""
    query = select(cycles.c.id).where(cycles.c.repository == _place(repository)).limit(1)
    with journal.reading() as connection:
        return connection.execute(query).first() is not None


def former_place(journal: Journal, identity: str) -> str | None:
    """Where the newest cycle of that repository was run."""
    query = select(cycles.c.repository, cycles.c.environment).order_by(cycles.c.id.desc())
    with journal.reading() as connection:
        for place, environment in connection.execute(query):
            if json.loads(environment).get(IDENTITY) == identity:
                return str(place)
    return None


def move_past(journal: Journal, before: str, repository: Path) -> None:
    """From now on, all that is on record of one place is of another."""
    after = _place(repository)
    with journal.writing() as connection:
        for table in metadata.sorted_tables:
            column = table.c.get("repository")
            if column is not None and isinstance(column.type, Text):
                moved = update(table).where(column == before).values(repository=after)
                connection.execute(moved)


def _place(repository: Path) -> str:
    return storable(str(repository.resolve()))
