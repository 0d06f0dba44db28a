"""Cycles of workflows and modules, and what was decided about them, in the journal."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, insert, select

from reverie.store.clock import to_microseconds
from reverie.store.foresight_tables import decisions, foresight_cycles
from reverie.store.journal import Journal
from reverie.store.text import storable


class ForesightMemory:
    """The recorded cycles of one journal, by the id of a workflow or a module."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def load(self) -> Mapping[str, list[Mapping[str, Any]]]:
        """Every recorded cycle, oldest first."""
        table = foresight_cycles
        query = select(table).order_by(table.c.subject, table.c.position)
        found: dict[str, list[Mapping[str, Any]]] = {}
        with self._journal.reading() as connection:
            for row in connection.execute(query).mappings():
                found.setdefault(row["subject"], []).append(json.loads(row["metrics"]))
        return found

    def append(self, subject: str, position: int, metrics: Mapping[str, Any]) -> None:
        """Record one cycle."""
        row = {
            "subject": storable(subject),
            "position": position,
            "metrics": json.dumps(dict(metrics), allow_nan=False),
            "created_at_us": _now(),
        }
        with self._journal.writing() as connection:
            connection.execute(insert(foresight_cycles).values(row))

    def forget(self, subject: str) -> None:
        """Forget the cycles of one workflow or module."""
        table = foresight_cycles
        with self._journal.writing() as connection:
            connection.execute(delete(table).where(table.c.subject == storable(subject)))


def record_decision(journal: Journal, subject: str, decision: Mapping[str, Any]) -> None:
    """Add a line to the decision log: it is only ever added to."""
    row = {
        "created_at_us": _now(),
        "subject": storable(subject),
        "verdict": str(decision["verdict"]),
        "decision": json.dumps(dict(decision), default=str),
    }
    with journal.writing() as connection:
        connection.execute(insert(decisions).values(row))


def load_decisions(journal: Journal, limit: int = 50) -> Sequence[Mapping[str, Any]]:
    """The latest decisions, newest first."""
    query = select(decisions).order_by(decisions.c.id.desc()).limit(limit)
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return [{"subject": row["subject"], **json.loads(row["decision"])} for row in rows]


def _now() -> int:
    return to_microseconds(datetime.now(UTC))
