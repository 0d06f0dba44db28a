"""Give space back that pruned rows took."""

from dataclasses import dataclass
from pathlib import Path

from reverie.store.journal import Journal


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes that a journal takes."""

    before: int | None
    after: int | None


def vacuum(journal: Journal) -> Size:
    """Rewrite the journal without its gaps; others wait meanwhile."""
    before = size_of(journal)
    statements: tuple[str, ...] = ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
    with journal.driver_connection() as connection:
        if journal.backend.dialect != "sqlite":
            statements = ("VACUUM (ANALYZE)",)
            connection.autocommit = True  # type: ignore[attr-defined]
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
    return Size(before, size_of(journal))


def size_of(journal: Journal) -> int | None:
    """Of the file with its log, or of the tables on a server."""
    if journal.backend.dialect == "sqlite":
        path = Path(journal.backend.location)
        parts = [path, path.with_name(path.name + "-wal")]
        return sum(part.stat().st_size for part in parts if part.exists())
    query = (
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class "
        "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
    )
    with journal.driver_cursor(writing=False) as cursor:
        cursor.execute(query)
        row = cursor.fetchone()
    return None if row is None or row[0] is None else int(row[0])
