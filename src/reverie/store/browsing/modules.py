"""Modules of a repository: how large each is, and how dreams about it have fared."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Select, func, select

from reverie.store import schema
from reverie.store.browsing.dreams import place_name
from reverie.store.cycle_tables import cycles, dreams, findings, promotions
from reverie.store.foresight_tables import decisions
from reverie.store.journal import Journal
from reverie.store.kept_tallies import fates
from reverie.store.text import storable


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


def indexed_module(journal: Journal, repository: Path, name: str) -> IndexedModule | None:
    """One module of the last index."""
    query = _indexed(repository).where(schema.indexed_files.c.name == storable(name)).limit(1)
    with journal.reading() as connection:
        row = connection.execute(query).first()
    return None if row is None else IndexedModule(*row)


def fates_of_modules(journal: Journal, repository: Path) -> Mapping[str, Mapping[str, int]]:
    """By module: how many of the dreams about it stand where."""
    with journal.reading() as connection:
        return fates(connection, repository)


def fates_of(journal: Journal, repository: Path, module: str) -> Mapping[str, int]:
    """How many of the dreams about one module stand where."""
    with journal.reading() as connection:
        return fates(connection, repository, module).get(module, {})


def worth_by_cycle(journal: Journal, repository: Path, module: str, most: int = 60) -> list[float]:
    """What promotions of a module were worth, in minutes, cycle by cycle, oldest first."""
    query = (
        select(promotions.c.cycle_id, func.sum(promotions.c.roi), cycles.c.started_at_us)
        .join(
            dreams,
            (dreams.c.cycle_id == promotions.c.cycle_id) & (dreams.c.id == promotions.c.dream_id),
        )
        .join(cycles, cycles.c.id == promotions.c.cycle_id)
        .where(dreams.c.module == module, cycles.c.repository == place_name(repository))
        .where(promotions.c.roi.is_not(None))
        .group_by(promotions.c.cycle_id, cycles.c.started_at_us)
        .order_by(cycles.c.started_at_us.desc())
        .limit(most)
    )
    with journal.reading() as connection:
        return [float(row[1]) for row in connection.execute(query)][::-1]


def findings_of(journal: Journal, module: str, most: int = 50) -> list[Mapping[str, Any]]:
    """What was found in a module for people to look at, newest first."""
    query = select(findings).where(findings.c.module == module)
    order = (findings.c.cycle_id.desc(), findings.c.id)
    with journal.reading() as connection:
        rows = connection.execute(query.order_by(*order).limit(most)).mappings().all()
    return [{**row, "details": json.loads(row["details"])} for row in rows]


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
