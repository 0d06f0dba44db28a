"""Dreams, newest first, by what a person filters for."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, or_, select

from reverie.errors import UsageError
from reverie.model.cycle import CycleDream, CycleHeader
from reverie.model.ruling import Answer
from reverie.store import rows
from reverie.store.browsing.walking import ROWS, Condition, Leaf, Walk, about, place_of, walk
from reverie.store.journal import Journal
from reverie.store.rows import believed
from reverie.store.scalars import from_microseconds, one_line, place_name, storable
from reverie.store.tables import cycle_tables as tables

_ORDER = ("created_at_us", "cycle_id", "id")
_NAMES = ("kind", "dreamer", "module", "title", "status", "known_from")


@dataclass(frozen=True, slots=True)
class DreamFilter:
    """What a person looks for. None: anything."""

    status: str | None = None
    kind: str | None = None
    module: str | None = None
    cycle: str | None = None
    text: str | None = None
    """Part of the title or of the module's name."""


@dataclass(frozen=True, slots=True)
class DreamLine:
    """A dream on a list."""

    cycle_id: str
    id: str
    kind: str
    dreamer: str
    module: str
    title: str
    status: str
    known_from: str | None
    created_at: datetime
    verdict: str | None
    roi: float | None
    raroi: float | None
    needs: tuple[str, ...]
    measures: Mapping[str, float]
    """What its trial measured; empty when it was not tried."""
    objection: Mapping[str, Any] | None = None
    """The first check that speaks against it: its reason, what was measured and required."""


def list_dreams(
    journal: Journal,
    repository: Path,
    wanted: DreamFilter,
    after: str | None = None,
    rows_wanted: int = ROWS,
) -> Leaf[DreamLine]:
    """One page of the dreams of a repository."""
    place = place_of(after, int, str, str)
    with journal.reading() as connection:
        plan = _plan(wanted, own_cycles(connection, repository))
        found = walk(connection, plan, place, rows_wanted)
        tried = _trials(connection, [(row["cycle_id"], row["id"]) for row in found.rows])
    lines = believed(journal, lambda: tuple(_line(row, tried) for row in found.rows))
    return Leaf(lines, found.after, found.looked_at)


def load_dream(
    journal: Journal, repository: Path, cycle_id: str, dream_id: str
) -> tuple[CycleHeader, CycleDream]:
    """One dream with its trial and its promotion, and the cycle that knows it."""
    with journal.reading() as connection:
        header = _one(connection, tables.cycles, id=storable(cycle_id))
        dream = _one(connection, tables.dreams, cycle_id=storable(cycle_id), id=storable(dream_id))
        is_here = header is not None and header["repository"] == place_name(repository)
        if header is None or dream is None or not is_here:
            raise UsageError(f"there is no change {one_line(dream_id)[:80]!r} in that cycle")
        key = {"cycle_id": dream["cycle_id"], "dream_id": dream["id"]}
        tried = _one(connection, tables.trials, **key)
        measured = _one(connection, tables.evidence, **key)
        offered = _one(connection, tables.promotions, **key)
        ruled = _all(connection, tables.rulings, "position", **key)

    def read() -> tuple[CycleHeader, CycleDream]:
        rulings = tuple(rows.RULINGS.value(row) for row in ruled)
        is_tried = tried is not None and measured is not None
        trial = rows.trial_of(tried, rows.EVIDENCE.value(measured), rulings) if is_tried else None
        promotion = None if offered is None else rows.promotion_of(offered, dream)
        return rows.HEADERS.value(header), rows.dream_of(dream, trial, promotion)

    return believed(journal, read)


def tried_at(journal: Journal, cycle_id: str, dream_id: str) -> datetime | None:
    """When the trial of a dream ended."""
    with journal.reading() as connection:
        row = _one(connection, tables.trials, cycle_id=cycle_id, dream_id=dream_id)
    return None if row is None else from_microseconds(row["ended_at_us"])


def dreamt_elsewhere(journal: Journal, dream_id: str, most: int = 20) -> tuple[DreamLine, ...]:
    """The same dream in every cycle that knows it, newest first."""
    table = tables.dreams
    query = select(*(table.c[name] for name in (*_NAMES, *_ORDER)))
    query = query.where(table.c.id == storable(dream_id)).limit(200)
    with journal.reading() as connection:
        found = connection.execute(query).mappings().all()
    newest = sorted(found, key=lambda row: row["created_at_us"], reverse=True)
    return tuple(_line(row, {}) for row in newest[:most])


def find_dreams(journal: Journal, repository: Path, prefix: str, most: int = 10) -> list[DreamLine]:
    """Dreams whose id begins so."""
    table, low = tables.dreams, storable(prefix)
    query = (
        select(*(table.c[name] for name in (*_NAMES, *_ORDER)))
        .join(tables.cycles, tables.cycles.c.id == table.c.cycle_id)
        .where(tables.cycles.c.repository == place_name(repository))
        .where(table.c.id >= low, table.c.id < low + "\U0010ffff")
        .order_by(table.c.id)
        .limit(most)
    )
    with journal.reading() as connection:
        return [_line(row, {}) for row in connection.execute(query).mappings()]


def _plan(wanted: DreamFilter, elsewhere: Condition | None) -> Walk:
    """The narrowest index first; the rest is asked row by row."""
    equal = {
        name: storable(value)
        for name in ("cycle", "module", "status", "kind")
        if (value := getattr(wanted, name)) is not None
    }
    if "cycle" in equal:
        equal["cycle_id"] = equal.pop("cycle")
    chosen = next((name for name in ("cycle_id", "module", "status") if name in equal), None)
    indexes = {"cycle_id": "dreams_by_cycle", "module": "dreams_by_module"}
    index = indexes.get(chosen or "", "dreams_by_status" if chosen else "dreams_by_time")
    along = () if chosen is None else (_is(chosen, equal.pop(chosen)),)
    besides = [_is(name, value) for name, value in equal.items()]
    if wanted.text:
        besides.append(_mentions(storable(wanted.text)))
    if elsewhere is not None:
        besides.append(elsewhere)
    return Walk(tables.dreams, _NAMES, _ORDER, index, along, tuple(besides))


def _is(name: str, value: Any) -> Condition:
    return lambda columns: columns[name] == value


def _mentions(text: str) -> Condition:
    return lambda columns: or_(
        *(
            func.lower(columns[name]).contains(text.lower(), autoescape=True)
            for name in ("title", "module")
        )
    )


def own_cycles(connection: Connection, repository: Path) -> Condition | None:
    """What keeps dreams of other repositories out; None when the journal knows only this one."""
    place, cycles = place_name(repository), tables.cycles
    ends = select(func.min(cycles.c.repository), func.max(cycles.c.repository))
    if set(connection.execute(ends).one()) <= {place, None}:
        return None
    own = select(cycles.c.id).where(cycles.c.repository == place)
    return lambda columns: columns["cycle_id"].in_(own)


def _trials(
    connection: Connection, keys: Sequence[tuple[str, str]]
) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    if not keys:
        return {}
    table, measured = tables.trials, tables.evidence
    same = (measured.c.cycle_id == table.c.cycle_id) & (measured.c.dream_id == table.c.dream_id)
    query = (
        select(*table.c["cycle_id", "dream_id", "verdict", "score", "needs"], measured.c.measures)
        .outerjoin(measured, same)
        .where(*about(table.c.cycle_id, table.c.dream_id, keys))
    )
    found = connection.execute(query).mappings()
    tried = {(row["cycle_id"], row["dream_id"]): dict(row) for row in found}
    ruled = tables.rulings
    against = (
        select(*ruled.c["cycle_id", "dream_id", "reason", "measured", "required"])
        .where(*about(ruled.c.cycle_id, ruled.c.dream_id, keys))
        .where(ruled.c.verdict != Answer.PASS.value)
        .order_by(ruled.c.position)
    )
    for row in connection.execute(against).mappings():
        known = tried.get((row["cycle_id"], row["dream_id"]))
        if known is not None:
            figures = {name: json.loads(row[name]) for name in ("measured", "required")}
            known.setdefault("objection", {"reason": row["reason"], **figures})
    return tried


def _line(row: Any, tried: Mapping[tuple[str, str], Mapping[str, Any]]) -> DreamLine:
    trial = tried.get((row["cycle_id"], row["id"]))
    score = {} if trial is None else json.loads(trial["score"])
    return DreamLine(
        **{name: row[name] for name in ("cycle_id", "id", *_NAMES)},
        created_at=from_microseconds(row["created_at_us"]),
        verdict=None if trial is None else trial["verdict"],
        roi=score.get("roi"),
        raroi=score.get("raroi"),
        needs=() if trial is None else tuple(json.loads(trial["needs"])),
        measures=json.loads((trial or {}).get("measures") or "{}"),
        objection=(trial or {}).get("objection"),
    )


def _one(connection: Connection, table: Any, **key: str) -> Any:
    found = _all(connection, table, None, **key)
    return found[0] if found else None


def _all(connection: Connection, table: Any, order: str | None, **key: str) -> list[Any]:
    query = select(table).where(*(table.c[name] == value for name, value in key.items()))
    query = query if order is None else query.order_by(table.c[order])
    return list(connection.execute(query).mappings())
