"""Forgetting old executions, on request only.

Failure patterns stay: what was learnt outlives the runs it was learnt from.
"""

from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection, delete, exists, select

from reverie.store.clock import to_microseconds
from reverie.store.journal import Journal
from reverie.store.pruned import count_executions, settle_after_prune
from reverie.store.schema import code, executions, meta
from reverie.store.statements import LAST_PRUNE_KEY

ROWS_AT_ONCE = 5_000
"""Removed in one transaction: other writers wait no longer than this takes."""


def prune(journal: Journal, before: datetime) -> int:
    """Remove executions that started before a moment, and sources nobody refers to any more.

    Returns the number of executions removed.
    """
    before_us = to_microseconds(before)
    removed = 0
    while True:
        with journal.writing() as connection:
            count = _remove_some(connection, before_us)
        removed += count
        if count < ROWS_AT_ONCE:
            break
    with journal.writing() as connection:
        used = exists().where(executions.c.code_hash == code.c.code_hash)
        connection.execute(delete(code).where(~used))
        _announce(connection)
    return removed


def _remove_some(connection: Connection, before_us: int) -> int:
    oldest = (
        select(executions.c.seq)
        .where(executions.c.started_at_us < before_us)
        .order_by(executions.c.started_at_us)
        .limit(ROWS_AT_ONCE)
    )
    count_executions(connection)
    removed = connection.execute(delete(executions).where(executions.c.seq.in_(oldest))).rowcount
    settle_after_prune(connection)
    return removed


def _announce(connection: Connection) -> None:
    """Recorders remember which sources they stored; this tells them to think again."""
    connection.execute(delete(meta).where(meta.c.key == LAST_PRUNE_KEY))
    connection.execute(meta.insert().values(key=LAST_PRUNE_KEY, value=uuid4().hex))
