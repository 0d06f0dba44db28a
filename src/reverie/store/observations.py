"""Figures of which only the last value matters: what was seen takes the place of what was."""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, select

from reverie.errors import UsageError
from reverie.model.observation import Observation
from reverie.store.clock import to_microseconds
from reverie.store.journal import Journal
from reverie.store.observation_tables import observations
from reverie.store.text import storable


def observe(
    journal: Journal, name: str, seen: Iterable[Observation], of: Mapping[str, str] | None = None
) -> None:
    """All figures of a name from now on, or all that share the labels `of`; others are gone."""
    rows = [
        {
            "name": name,
            "labels": _text(each.labels),
            "value": _finite(name, each.value),
            "observed_at_us": to_microseconds(datetime.now(UTC)),
        }
        for each in seen
    ]
    table = observations
    with journal.writing() as connection:
        known = connection.scalars(select(table.c.labels).where(table.c.name == name)).all()
        gone = [text for text in known if (of or {}).items() <= json.loads(text).items()]
        if gone:
            named = (table.c.name == name, table.c.labels.in_(gone))
            connection.execute(delete(table).where(*named))
        if rows:
            connection.execute(insert(table), rows)


def observed(connection: Connection) -> Mapping[str, tuple[Observation, ...]]:
    """Every figure, by name."""
    found: dict[str, list[Observation]] = defaultdict(list)
    query = select(observations).order_by(observations.c.name, observations.c.labels)
    for row in connection.execute(query).mappings():
        found[row["name"]].append(Observation(row["value"], json.loads(row["labels"])))
    return {name: tuple(each) for name, each in found.items()}


def _text(labels: Mapping[str, str]) -> str:
    return json.dumps({key: storable(value) for key, value in labels.items()}, sort_keys=True)


def _finite(name: str, value: float) -> float:
    if not math.isfinite(value):
        raise UsageError(f"an observation of {name} is a finite number, not {value}")
    return value
