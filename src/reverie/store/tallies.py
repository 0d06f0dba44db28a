"""Counts over the journal, for whoever watches it: a query per figure, labels first.

Counting a journal of years takes seconds; its counts fit on a page. So counts over dreams, trials,
rulings and promotions are kept: every transaction that writes about dreams counts them before and
after, and adds the difference. Executions are counted from where the last look ended (`retention`).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, func, select, text

from reverie.model.cycle import PromotionStatus
from reverie.model.events import Observation
from reverie.store import schema
from reverie.store.scalars import storable
from reverie.store.tables import cycle_tables as tables
from reverie.store.tables.measure_tables import tallies

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
    before = _count_dreams(connection, cycle_id, dream_ids)
    yield
    after = _count_dreams(connection, cycle_id, dream_ids)
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


def _count_dreams(connection: Connection, cycle_id: str, dream_ids: Sequence[str]) -> _Counts:
    found, ids = _Counts(), list(dream_ids)
    kinds: dict[str, str] = {}
    for row in _rows_of_dreams(connection, tables.dreams, "id", cycle_id, ids):
        kinds[row["id"]] = row["kind"]
        found.add((DREAMS, row["kind"], row["status"]))
        found.add((MODULES, row["module"], row["status"]))
    for row in _rows_of_dreams(connection, tables.trials, "dream_id", cycle_id, ids):
        found.add((TRIALS, kinds[row["dream_id"]], row["verdict"]), total=row["seconds"])
    for row in _rows_of_dreams(connection, tables.rulings, "dream_id", cycle_id, ids):
        found.add((RULINGS, row["gate"], row["verdict"]))
    for row in _rows_of_dreams(connection, tables.promotions, "dream_id", cycle_id, ids):
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


def _rows_of_dreams(
    connection: Connection, table: Any, key: str, cycle_id: str, ids: list[str]
) -> Any:
    columns = [table.c[name] for name in _READ[table.name]]
    query = select(*columns).where(table.c.cycle_id == cycle_id, table.c[key].in_(ids))
    return connection.execute(query).mappings()


BOUNDS_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Upper bounds of the histogram of durations."""


def _per(value: "ColumnElement[Any]", **labels: "ColumnElement[Any]") -> Select[Any]:
    columns = [column.label(name) for name, column in labels.items()]
    return select(*columns, value.label("value")).group_by(*labels.values())


def _count(table: Any, **labels: "ColumnElement[Any]") -> Select[Any]:
    return _per(func.count(), **labels).select_from(table)


def queries() -> Mapping[str, Select[Any]]:
    """What is counted: a name, and rows of labels and a value."""
    cycles, procedures = schema.cycles, schema.dream_procedures
    is_lifted = case((schema.tightenings.c.lifted_at_us.is_(None), "in_force"), else_="lifted")
    return {
        "cycles": _count(cycles, state=cycles.c.state),
        "cycle_seconds": _per(func.sum(cycles.c.seconds)).select_from(cycles),
        "steps": _count(
            schema.checkpoints,
            dreamer=schema.checkpoints.c.dreamer,
            state=schema.checkpoints.c.state,
        ),
        "rollbacks": _count(schema.rollbacks),
        "approvals": _count(schema.approvals),
        "findings": _count(schema.findings),
        "canaries": _count(schema.canaries, state=schema.canaries.c.state),
        "failures": _per(
            func.sum(schema.failure_patterns.c.frequency),
            category=schema.failure_patterns.c.category,
        ).select_from(schema.failure_patterns),
        "failure_patterns": _count(schema.failure_patterns),
        "procedures": _count(procedures, type=procedures.c.dream_type, status=procedures.c.status),
        "procedure_tests": _count(schema.procedure_tests, outcome=schema.procedure_tests.c.outcome),
        "tightenings": _count(schema.tightenings, state=is_lifted),
        "regressions": _count(schema.regressions),
    }


def tally(connection: Connection) -> Mapping[str, tuple[Observation, ...]]:
    """Every count, by name; what was never measured is absent."""
    counted = {name: _rows(connection, query) for name, query in queries().items()}
    return {**counted, **_kept(connection)}


def _kept(connection: Connection) -> Mapping[str, tuple[Observation, ...]]:
    """What is counted by whoever writes."""
    found: dict[str, tuple[Observation, ...]] = {}
    for name in (DREAMS, TRIALS, RULINGS, PROMOTIONS):
        found[name] = tuple(
            Observation(count, dict(zip(COUNTED[name], (first, second), strict=True)))
            for first, second, count, _ in kept(connection, name)
        )
    for name in (ROI, RAROI):
        undone = _undone(connection, name)
        found[name] = tuple(
            Observation(total - undone.get(kind, 0.0), {"kind": kind})
            for kind, _, _, total in kept(connection, name)
        )
    seconds: dict[str, float] = defaultdict(float)
    for kind, _, _, total in kept(connection, TRIALS):
        seconds[kind] += total
    found["trial_seconds"] = tuple(Observation(each, {"kind": k}) for k, each in seconds.items())
    return found


def _undone(connection: Connection, name: str) -> Mapping[str, float]:
    """Minutes of promotions that were taken back, by kind: those are worth nothing any more."""
    offered, dreams = schema.promotions, schema.dreams
    here = (dreams.c.cycle_id == offered.c.cycle_id) & (dreams.c.id == offered.c.dream_id)
    minutes = offered.c.roi if name == ROI else offered.c.raroi
    query = select(dreams.c.kind, func.sum(minutes)).join(offered, here).where(~in_force())
    found = connection.execute(query.group_by(dreams.c.kind))
    return {kind: float(total or 0.0) for kind, total in found}


def _rows(connection: Connection, query: Select[Any]) -> tuple[Observation, ...]:
    found = []
    for row in connection.execute(query).mappings():
        labels = {name: str(value) for name, value in row.items() if name != "value"}
        if row["value"] is not None:
            found.append(Observation(float(row["value"]), labels))
    return tuple(found)


def _bucket() -> "ColumnElement[int]":
    milliseconds = schema.executions.c.duration_ms
    steps = [(milliseconds <= bound * 1000, place) for place, bound in enumerate(BOUNDS_SECONDS)]
    unmeasured = (milliseconds.is_(None), -1)
    return case(unmeasured, *steps, else_=len(BOUNDS_SECONDS)).label("bucket")


def bucket_query(after: int) -> Select[Any]:
    """Executions after a row, by outcome, tier, target and the bucket of their duration."""
    table = schema.executions
    by = (table.c.outcome, table.c.isolation, table.c.target, _bucket())
    return (
        select(
            *by,
            func.count().label("executions"),
            func.sum(table.c.duration_ms).label("total_ms"),
            func.sum(table.c.cpu_seconds).label("cpu_seconds"),
            func.max(table.c.seq).label("last"),
        )
        .where(table.c.seq > after)
        .group_by(*by)
    )
