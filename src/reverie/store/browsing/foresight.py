"""Workflows and modules cycle by cycle, as foresight recorded them."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from reverie.store.foresight import BETWEEN
from reverie.store.foresight_tables import foresight_cycles as table
from reverie.store.journal import Journal
from reverie.store.text import storable

CYCLES = 60
_SUBJECTS = 5_000


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The subjects of a repository, and what was recorded of the first of them."""

    subjects: int
    cycles: Mapping[str, Sequence[Mapping[str, Any]]]
    """The last ones of each, oldest first."""


def foresight_of(journal: Journal, repository: Path, most: int) -> Foreseen:
    """Recorded cycles of a repository's own subjects, and of those of no repository."""
    place = storable(f"{repository.resolve()}{BETWEEN}")
    query = select(table.c.subject).distinct().order_by(table.c.subject).limit(_SUBJECTS)
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    with journal.reading() as connection:
        every = connection.execute(query).scalars().all()
        own = [key for key in every if key.startswith(place) or BETWEEN not in key]
        for key in own[:most]:
            found[key.removeprefix(place)] = _last_cycles(connection, key)
    return Foreseen(len(own), found)


def _last_cycles(connection: Connection, key: str) -> list[Mapping[str, Any]]:
    query = select(table.c.metrics).where(table.c.subject == key)
    newest = connection.execute(query.order_by(table.c.position.desc()).limit(CYCLES)).scalars()
    return [json.loads(each) for each in newest][::-1]
