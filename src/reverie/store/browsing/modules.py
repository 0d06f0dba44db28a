"""Modules and workflows of a repository: size, record, foresight, and what changes do together.

Tables that another room keeps are read as they are; absent ones are absent.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, exists, select

from reverie.model.workflow_evolution import Interaction
from reverie.store import schema
from reverie.store.cycles.measures import BETWEEN
from reverie.store.cycles.worth import load_interactions
from reverie.store.journal import Journal
from reverie.store.scalars import from_microseconds, place_name, storable
from reverie.store.schema import metadata
from reverie.store.tables.cycle_tables import cycles, dreams
from reverie.store.tables.measure_tables import decisions
from reverie.store.tables.measure_tables import foresight_cycles as table
from reverie.store.tables.promotion_tables import interactions
from reverie.store.tallies import fates


@dataclass(frozen=True, slots=True)
class IndexedModule:
    """A module as the last index saw it."""

    name: str
    path: str
    lines: int
    functions: int
    error: str | None


def indexed_modules(journal: Journal, repository: Path) -> tuple[IndexedModule, ...]:
    """Every module of the last index, by name; none when nobody has run `reverie index`."""
    table = schema.indexed_files
    query = _indexed(repository).where(table.c.name != "").order_by(table.c.name)
    with journal.reading() as connection:
        return tuple(IndexedModule(*row) for row in connection.execute(query))


def fates_of_modules(journal: Journal, repository: Path) -> Mapping[str, Mapping[str, int]]:
    """By module: how many of the dreams about it stand where."""
    with journal.reading() as connection:
        return fates(connection, repository)


def latest_decisions(journal: Journal, most: int = 30) -> list[Mapping[str, Any]]:
    """What governance said last."""
    query = select(decisions).order_by(decisions.c.id.desc()).limit(most)
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return [{**row, "decision": json.loads(row["decision"])} for row in rows]


def _indexed(repository: Path) -> Select[Any]:
    places, table = schema.indexed_repositories, schema.indexed_files
    functions = table.c.functions + table.c.methods
    return (
        select(table.c.name, table.c.path, table.c.loc, functions, table.c.error)
        .join(places, places.c.id == table.c.repository)
        .where(places.c.place == place_name(repository))
    )


FORESIGHT_CYCLES = 60
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
    newest = connection.execute(
        query.order_by(table.c.position.desc()).limit(FORESIGHT_CYCLES)
    ).scalars()
    return [json.loads(each) for each in newest][::-1]


SYNERGY_CYCLES = 30


@dataclass(frozen=True, slots=True)
class Named:
    """A dream that was tried together with others. A pruned one has only its id."""

    id: str
    title: str
    module: str
    status: str | None


def cycles_with_pairs(
    journal: Journal, repository: Path, most: int = SYNERGY_CYCLES
) -> tuple[str, ...]:
    """The last cycles of a repository in which pairs were measured, newest first."""
    measured = exists().where(interactions.c.cycle_id == cycles.c.id)
    query = (
        select(cycles.c.id)
        .where(cycles.c.repository == place_name(repository), measured)
        .order_by(cycles.c.started_at_us.desc(), cycles.c.id.desc())
        .limit(most)
    )
    with journal.reading() as connection:
        return tuple(connection.execute(query).scalars())


def pairs_of(
    journal: Journal, repository: Path, cycle_id: str
) -> tuple[tuple[Interaction, ...], Mapping[str, Named]]:
    """What was measured in a cycle, each pair as it was last; and the dreams by their ids."""
    name = storable(cycle_id)
    own = select(cycles.c.id).where(
        cycles.c.id == name, cycles.c.repository == place_name(repository)
    )
    with journal.reading() as connection:
        if connection.execute(own).first() is None:
            return (), {}
    # A cycle that was recovered may have measured a pair again.
    last = {
        (each.metric, frozenset((each.first, each.second))): each
        for each in load_interactions(journal, name)
    }
    found = tuple(last.values())
    with journal.reading() as connection:
        named = _named(connection, name, {id for each in found for id in (each.first, each.second)})
    return found, named


def _named(connection: Connection, cycle_id: str, ids: Iterable[str]) -> Mapping[str, Named]:
    known = {each: Named(each, each, "", None) for each in ids}
    columns = (dreams.c.id, dreams.c.title, dreams.c.module, dreams.c.status)
    query = select(*columns).where(dreams.c.cycle_id == cycle_id, dreams.c.id.in_(sorted(known)))
    if known:
        known.update((row.id, Named(*row)) for row in connection.execute(query))
    return known


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
