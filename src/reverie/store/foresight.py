"""Cycles of workflows and modules, and what was decided about them, in the journal."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import delete, insert, select

from reverie.store.clock import from_microseconds, to_microseconds
from reverie.store.foresight_tables import decisions, foresight_cycles
from reverie.store.journal import Journal
from reverie.store.text import storable

BETWEEN = "\n"
"""Stands between the place of a repository and a name; no name has it."""


class ForesightMemory:
    """The recorded cycles of one journal, by the id of a workflow or a module.

    With a repository its modules are its own, whoever else has one of the same name.
    """

    def __init__(
        self, journal: Journal, repository: Path | None = None, cycle_id: str | None = None
    ) -> None:
        self._journal = journal
        place = "" if repository is None else f"{repository.resolve()}{BETWEEN}"
        self._place = storable(place)
        self._cycle_id = cycle_id

    def load(self) -> Mapping[str, list[Mapping[str, Any]]]:
        """Every recorded cycle, oldest first: the repository's own, and those of no repository."""
        table = foresight_cycles
        query = select(table).order_by(table.c.subject, table.c.position)
        found: dict[str, list[Mapping[str, Any]]] = {}
        with self._journal.reading() as connection:
            for row in connection.execute(query).mappings():
                place, between, name = row["subject"].rpartition(BETWEEN)
                if place + between in ("", self._place):
                    found.setdefault(name, []).append(json.loads(row["metrics"]))
        return found

    def has_recorded(self, cycle_id: str) -> bool:
        """Whether a cycle is recorded already: it is taken up again after anything."""
        query = select(foresight_cycles.c.subject).where(foresight_cycles.c.cycle_id == cycle_id)
        with self._journal.reading() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def append(self, subject: str, position: int, metrics: Mapping[str, Any]) -> None:
        """Record one cycle."""
        row = {
            "subject": self._key(subject),
            "position": position,
            "metrics": json.dumps(dict(metrics), allow_nan=False),
            "created_at_us": _now(),
            "cycle_id": self._cycle_id,
        }
        with self._journal.writing() as connection:
            connection.execute(insert(foresight_cycles).values(row))

    def forget(self, subject: str) -> None:
        """Forget the cycles of one workflow or module."""
        table = foresight_cycles
        with self._journal.writing() as connection:
            connection.execute(delete(table).where(table.c.subject == self._key(subject)))

    def _key(self, subject: str) -> str:
        return self._place + storable(subject).replace(BETWEEN, " ")


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
    return [
        {
            "at": from_microseconds(row["created_at_us"]).isoformat(timespec="seconds"),
            "subject": row["subject"],
            **json.loads(row["decision"]),
        }
        for row in rows
    ]


def _now() -> int:
    return to_microseconds(datetime.now(UTC))
