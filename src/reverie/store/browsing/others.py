"""Tables that another room keeps, read as they are; absent ones are absent."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from reverie.store.columns import metadata
from reverie.store.journal import Journal


def table_rows(journal: Journal, name: str, most: int = 100) -> list[Mapping[str, Any]] | None:
    """The last rows of a table, by its key; None when this journal has no such table."""
    table = metadata.tables.get(name)
    if table is None:
        return None
    order = [column.desc() for column in table.primary_key.columns]
    with journal.reading() as connection:
        found = connection.execute(select(table).order_by(*order).limit(most)).mappings().all()
    return [dict(row) for row in found]
