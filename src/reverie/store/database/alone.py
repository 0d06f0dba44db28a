"""Held by one process at a time over all machines that share a journal.

A SQLite journal is one machine's, whose processes have locks of their own; in PostgreSQL it is an
advisory lock, which the server takes back when the connection ends, however that comes about.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from reverie.errors import Refused
from reverie.store.journal import Journal


@contextmanager
def held_in_journal(journal: Journal, what: str, name: str) -> Iterator[None]:
    """Run while nobody else who has this journal open holds `what`; otherwise `Refused`."""
    if journal.backend.dialect == "sqlite":
        yield
        return
    number = int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], signed=True)
    with journal.driver_connection() as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [number])
        row = cursor.fetchone()
        connection.commit()
        if not row or not row[0]:
            raise Refused(f"{name} is under way for {what!r} on a machine that shares the journal")
        yield
