"""Signed words of people against decisions, kept as they were signed."""

from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import insert, select

from reverie.store.clock import to_microseconds
from reverie.store.governance_tables import overrides
from reverie.store.journal import Journal
from reverie.store.text import storable


def record_override(journal: Journal, repository: Path, subject: str, envelope: bytes) -> None:
    """Keep what a person has signed; it is never changed."""
    told = {
        "repository": storable(str(repository.resolve())),
        "subject": storable(subject),
        "envelope": envelope.decode("ascii"),
        "created_at_us": to_microseconds(datetime.now(UTC)),
    }
    with journal.writing() as connection:
        connection.execute(insert(overrides).values(told))


def load_overrides(journal: Journal, repository: Path) -> tuple[bytes, ...]:
    """The envelopes of a repository, oldest first. Nothing of them is checked here."""
    place = storable(str(repository.resolve()))
    query = (
        select(overrides.c.envelope).where(overrides.c.repository == place).order_by(overrides.c.id)
    )
    with journal.reading() as connection:
        return tuple(row.envelope.encode("utf-8") for row in connection.execute(query))
