"""Tables that another room keeps, read as they are; absent ones are absent."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import select

from reverie.store.browsing.dreams import place_name
from reverie.store.clock import from_microseconds
from reverie.store.journal import Journal
from reverie.store.schema import metadata

_MOMENT = "_us"


def table_rows(
    journal: Journal, repository: Path, name: str, most: int = 100
) -> list[Mapping[str, Any]] | None:
    """The last rows of a repository in a table, by its key; None when there is no such table."""
    table = metadata.tables.get(name)
    if table is None:
        return None
    query = select(table).order_by(*(column.desc() for column in table.primary_key.columns))
    if "repository" in table.c:
        query = query.where(table.c.repository == place_name(repository))
    with journal.reading() as connection:
        found = connection.execute(query.limit(most)).mappings().all()
    return [_told(row) for row in found]


def _told(row: Any) -> Mapping[str, Any]:
    """A row without the repository, its moments as such."""
    return {
        name.removesuffix(_MOMENT): from_microseconds(value)
        if name.endswith(_MOMENT) and value is not None
        else value
        for name, value in row.items()
        if name != "repository"
    }
