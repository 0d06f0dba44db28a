"""Counts over the journal, for whoever watches it: a query per figure, labels first.

All but those of executions are over tables that stay small. Executions are counted from where
the last look ended, so that a look at a journal of millions costs what came since.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select, case, func, literal, select
from sqlalchemy.sql import ColumnElement

from reverie.model.observation import Observation
from reverie.store import schema

BOUNDS_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Upper bounds of the histogram of durations."""


def _per(value: "ColumnElement[Any]", **labels: "ColumnElement[Any]") -> Select[Any]:
    columns = [column.label(name) for name, column in labels.items()]
    return select(*columns, value.label("value")).group_by(*labels.values())


def _count(table: Any, **labels: "ColumnElement[Any]") -> Select[Any]:
    return _per(func.count(), **labels).select_from(table)


def _of_dreams(table: Any) -> Any:
    """Rows of a table with the dream that they are about."""
    dreams = schema.dreams
    same = (dreams.c.cycle_id == table.c.cycle_id) & (dreams.c.id == table.c.dream_id)
    return table.join(dreams, same)


def queries() -> Mapping[str, Select[Any]]:
    """What is counted: a name, and rows of labels and a value."""
    cycles, trials, rulings = schema.cycles, schema.trials, schema.rulings
    promotions, procedures = schema.promotions, schema.dream_procedures
    kind = schema.dreams.c.kind
    offered, tried = _of_dreams(promotions), _of_dreams(trials)
    is_lifted = case((schema.tightenings.c.lifted_at_us.is_(None), "in_force"), else_="lifted")
    return {
        "cycles": _count(cycles, state=cycles.c.state),
        "cycle_seconds": _per(func.sum(cycles.c.seconds)).select_from(cycles),
        "steps": _count(
            schema.checkpoints,
            dreamer=schema.checkpoints.c.dreamer,
            state=schema.checkpoints.c.state,
        ),
        "dreams": _count(schema.dreams, kind=kind, status=schema.dreams.c.status),
        "trials": _count(tried, kind=kind, verdict=trials.c.verdict),
        "trial_seconds": _per(func.sum(trials.c.seconds), kind=kind).select_from(tried),
        "rulings": _count(rulings, gate=rulings.c.gate, verdict=rulings.c.verdict),
        "promotions": _count(offered, kind=kind, status=promotions.c.status),
        "promotion_roi": _per(func.sum(promotions.c.roi), kind=kind).select_from(offered),
        "promotion_raroi": _per(func.sum(promotions.c.raroi), kind=kind).select_from(offered),
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
    return {name: _rows(connection, query) for name, query in queries().items()}


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


def single_query(chosen: "ColumnElement[bool]") -> Select[Any]:
    """Some executions, in the columns of `bucket_query`, each by itself."""
    table = schema.executions
    return select(
        *(table.c.outcome, table.c.isolation, table.c.target, _bucket()),
        literal(1).label("executions"),
        table.c.duration_ms.label("total_ms"),
        table.c.cpu_seconds,
        table.c.seq.label("last"),
    ).where(chosen)
