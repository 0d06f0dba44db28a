"""Counts over the journal, for whoever watches it: a query per figure, labels first.

What is large is not counted here: dreams and what became of them are counted by whoever writes
them (`kept_tallies`), executions from where the last look ended (`pruned`).
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select, case, func, select
from sqlalchemy.sql import ColumnElement

from reverie.model.observation import Observation
from reverie.store import schema
from reverie.store.kept_tallies import (
    COUNTED,
    DREAMS,
    PROMOTIONS,
    RAROI,
    ROI,
    RULINGS,
    TRIALS,
    in_force,
    kept,
)

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
