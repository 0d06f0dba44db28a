"""Counts over dreams, trials, rulings and promotions, kept true by whoever changes those.

Counting a journal of years takes seconds; its counts fit on a page. Every transaction that writes
about dreams counts them before and after, and adds the difference.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, text

from reverie.model.promotion import PromotionStatus
from reverie.store import cycle_tables as tables
from reverie.store.tally_tables import tallies
from reverie.store.text import storable

DREAMS, MODULES, TRIALS, RULINGS = "dreams", "modules", "trials", "rulings"
PROMOTIONS, ROI, RAROI = "promotions", "promotion_roi", "promotion_raroi"
COUNTED: Mapping[str, tuple[str, ...]] = {
    DREAMS: ("kind", "status"),
    MODULES: ("module", "status"),
    TRIALS: ("kind", "verdict"),
    RULINGS: ("gate", "verdict"),
    PROMOTIONS: ("kind", "status"),
    ROI: ("kind",),
    RAROI: ("kind",),
}
"""What the counted have in common, by what is counted."""
_ADD = text(
    "INSERT INTO tallies (name, repository, first, second, count, total) "
    "VALUES (:name, :repository, :first, :second, :count, :total) "
    "ON CONFLICT (name, repository, first, second) DO UPDATE SET "
    "count = tallies.count + excluded.count, total = tallies.total + excluded.total"
)
_Key = tuple[str, str, str]


@dataclass(slots=True)
class _Counts:
    """Counts and totals by name and what the counted have in common."""

    counts: dict[_Key, int] = field(default_factory=lambda: defaultdict(int))
    totals: dict[_Key, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, key: _Key, count: int = 1, total: float = 0.0) -> None:
        self.counts[key] += count
        self.totals[key] += total

    def since(self, before: "_Counts") -> Iterator[tuple[_Key, int, float]]:
        """What has changed, in the order of the table."""
        for key in sorted({*self.counts, *before.counts}):
            count = self.counts.get(key, 0) - before.counts.get(key, 0)
            total = self.totals.get(key, 0.0) - before.totals.get(key, 0.0)
            if count or total:
                yield key, count, total


@contextmanager
def counted(connection: Connection, cycle_id: str, dream_ids: Sequence[str]) -> Iterator[None]:
    """Keep the counts true over a change to some dreams of a cycle, in its transaction."""
    before = _count(connection, cycle_id, dream_ids)
    yield
    after = _count(connection, cycle_id, dream_ids)
    changed = list(after.since(before))
    if not changed:
        return
    cycles = tables.cycles
    place = connection.execute(select(cycles.c.repository).where(cycles.c.id == cycle_id)).scalar()
    rows = [
        {"name": name, "repository": place, "first": first, "second": second,
         "count": count, "total": total}
        for (name, first, second), count, total in changed
    ]  # fmt: skip
    connection.execute(_ADD, rows)


def kept(connection: Connection, name: str) -> list[tuple[str, str, int, float]]:
    """Counts of all repositories together: what they have in common, how many, the total."""
    table = tallies
    sums = (func.sum(table.c.count), func.sum(table.c.total))
    by = (table.c.first, table.c.second)
    query = select(*by, *sums).where(table.c.name == name, table.c.count > 0).group_by(*by)
    return [(row[0], row[1], int(row[2]), float(row[3])) for row in connection.execute(query)]


def in_force() -> ColumnElement[bool]:
    """Of promotions: those that were not taken back."""
    return tables.promotions.c.status != PromotionStatus.ROLLED_BACK.value


def fates(
    connection: Connection, repository: Path, module: str | None = None
) -> Mapping[str, Mapping[str, int]]:
    """By module, or of one: how many of the dreams about it stand where."""
    table, place = tallies, storable(str(repository.resolve()))
    query = select(table.c.first, table.c.second, table.c.count).where(
        table.c.name == MODULES, table.c.repository == place, table.c.count > 0
    )
    if module is not None:
        query = query.where(table.c.first == storable(module))
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for name, status, count in connection.execute(query):
        found[name][status] = count
    return found


def _count(connection: Connection, cycle_id: str, dream_ids: Sequence[str]) -> _Counts:
    found, ids = _Counts(), list(dream_ids)
    kinds: dict[str, str] = {}
    for row in _rows(connection, tables.dreams, "id", cycle_id, ids):
        kinds[row["id"]] = row["kind"]
        found.add((DREAMS, row["kind"], row["status"]))
        found.add((MODULES, row["module"], row["status"]))
    for row in _rows(connection, tables.trials, "dream_id", cycle_id, ids):
        found.add((TRIALS, kinds[row["dream_id"]], row["verdict"]), total=row["seconds"])
    for row in _rows(connection, tables.rulings, "dream_id", cycle_id, ids):
        found.add((RULINGS, row["gate"], row["verdict"]))
    for row in _rows(connection, tables.promotions, "dream_id", cycle_id, ids):
        _add_promotion(found, kinds[row["dream_id"]], row)
    return found


def _add_promotion(found: _Counts, kind: str, row: Mapping[str, Any]) -> None:
    found.add((PROMOTIONS, kind, row["status"]))
    for name, minutes in ((ROI, row["roi"]), (RAROI, row["raroi"])):
        if minutes is not None:
            found.add((name, kind, ""), total=minutes)


_READ = {
    "dreams": ("id", "kind", "module", "status"),
    "trials": ("dream_id", "verdict", "seconds"),
    "rulings": ("gate", "verdict"),
    "promotions": ("dream_id", "status", "roi", "raroi"),
}


def _rows(connection: Connection, table: Any, key: str, cycle_id: str, ids: list[str]) -> Any:
    columns = [table.c[name] for name in _READ[table.name]]
    query = select(*columns).where(table.c.cycle_id == cycle_id, table.c[key].in_(ids))
    return connection.execute(query).mappings()
