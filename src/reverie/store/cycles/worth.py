"""The worth of tried dreams: one by one, by kind, together, and the weights of the parts of ROI."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, insert, select

from reverie.errors import UsageError
from reverie.model.codec import pick
from reverie.model.cycle import Earned
from reverie.model.dream import AT_STAGE, DreamKind, DreamStatus
from reverie.model.measurements.benchmark import Estimate
from reverie.model.workflow_evolution import Interaction
from reverie.model.worth import RoiRow
from reverie.store.journal import Journal
from reverie.store.rows import Rows, believed
from reverie.store.scalars import place_name, storable, to_microseconds
from reverie.store.tables.cycle_tables import checkpoints, cycles, dreams, trials
from reverie.store.tables.promotion_tables import interactions, roi_weights

_SIDES = {"benefit: ": 1.0, "cost: ": -1.0}


def load_worths(journal: Journal, repository: Path) -> tuple[RoiRow, ...]:
    """The rows that `ROITracker` works with. A trial that measured nothing has no worth."""
    of_dream = (dreams.c[name] for name in ("id", "cycle_id", "module", "kind", "dreamer"))
    query = (
        select(*of_dream, trials.c.score, checkpoints.c.content_hash)
        .join(trials, (trials.c.cycle_id == dreams.c.cycle_id) & (trials.c.dream_id == dreams.c.id))
        .join(cycles, cycles.c.id == dreams.c.cycle_id)
        .join(
            checkpoints,
            (checkpoints.c.cycle_id == dreams.c.cycle_id)
            & (checkpoints.c.position == dreams.c.position),
        )
        .where(cycles.c.repository == storable(str(repository.resolve())))
        .order_by(trials.c.ended_at_us, dreams.c.id)
    )
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return tuple(_row(dict(row)) for row in rows)


def _row(row: Mapping[str, Any]) -> RoiRow:
    score = json.loads(row["score"])
    groups = {name: row[name] for name in ("module", "kind", "dreamer")}
    if row["kind"] == DreamKind.WORKFLOW.value:
        groups["workflow"] = row["module"]
    return RoiRow(
        dream_id=row["id"],
        points=score.get("roi"),
        groups=groups,
        parts=parts_of(score),
        entropy=score.get("entropy"),
        source_hash=row["content_hash"] or "",
        cycle_id=row["cycle_id"],
        raroi=score.get("raroi"),
    )


def parts_of(score: Mapping[str, Any]) -> Mapping[str, float]:
    """The parts of a score by name, in points; what costs is negative."""
    return {
        name.removeprefix(side): sign * float(value)
        for name, value in score.items()
        for side, sign in _SIDES.items()
        if name.startswith(side)
    }


_PROVEN = (DreamStatus.PROMOTED.value, DreamStatus.TESTED.value)


def earned_by_dreamer(journal: Journal, repository: Path) -> Mapping[str, Earned]:
    """By the name of who looked for them: changes that were proven, seconds of search and trial."""
    here = cycles.c.repository == storable(str(repository.resolve()))
    searched = (
        select(checkpoints.c.dreamer, func.sum(checkpoints.c.seconds))
        .join(cycles, cycles.c.id == checkpoints.c.cycle_id)
        .where(here)
        .group_by(checkpoints.c.dreamer)
    )
    in_trial = (trials.c.cycle_id == dreams.c.cycle_id) & (trials.c.dream_id == dreams.c.id)
    tried = (
        select(dreams.c.dreamer, dreams.c.status, func.count(), func.sum(trials.c.seconds))
        .join(trials, in_trial)
        .join(cycles, cycles.c.id == dreams.c.cycle_id)
        .where(here)
        .group_by(dreams.c.dreamer, dreams.c.status)
    )
    seconds: dict[str, float] = {}
    changes: dict[str, int] = {}
    with journal.reading() as connection:
        for dreamer, spent in connection.execute(searched):
            seconds[dreamer] = seconds.get(dreamer, 0.0) + (spent or 0.0)
        for dreamer, status, count, spent in connection.execute(tried):
            if AT_STAGE not in dreamer:  # an author's step has its trials in it
                seconds[dreamer] = seconds.get(dreamer, 0.0) + (spent or 0.0)
            if status in _PROVEN:
                changes[dreamer] = changes.get(dreamer, 0) + count
        costs = _costs(connection, here)
    return {
        name: Earned(changes.get(name, 0), spent, *costs.get(name, (0.0, 0)))
        for name, spent in seconds.items()
    }


def _costs(connection: Connection, here: ColumnElement[bool]) -> Mapping[str, tuple[float, int]]:
    """Money and tokens that authors have cost, by dreamer."""
    query = (
        select(checkpoints.c.dreamer, checkpoints.c.figures)
        .join(cycles, cycles.c.id == checkpoints.c.cycle_id)
        .where(here, checkpoints.c.dreamer.contains(AT_STAGE))
    )
    found: dict[str, tuple[float, int]] = {}
    for dreamer, text in connection.execute(query):
        figures = json.loads(text)
        money, tokens = found.get(dreamer, (0.0, 0))
        more = float(figures.get("money", 0.0)), int(figures.get("tokens", 0))
        found[dreamer] = (money + more[0], tokens + more[1])
    return found


_INTERACTIONS = Rows(interactions, Interaction)


def record_interactions(journal: Journal, cycle_id: str, found: Iterable[Interaction]) -> None:
    """Add what was measured."""
    now = to_microseconds(datetime.now(UTC))
    rows = [
        _INTERACTIONS.row(
            each,
            cycle_id=cycle_id,
            created_at_us=now,
            **pick(each, "effect=effect.value effect.low effect.high"),
        )
        for each in found
    ]
    if rows:
        with journal.writing() as connection:
            connection.execute(insert(interactions), rows)


def load_interactions(journal: Journal, cycle_id: str) -> tuple[Interaction, ...]:
    """What was measured in one cycle, in order."""
    table = interactions
    query = select(table).where(table.c.cycle_id == cycle_id).order_by(table.c.id)
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return believed(journal, lambda: tuple(map(_interaction, rows)))


def _interaction(row: Any) -> Interaction:
    value = row["effect"]
    effect = None if value is None else Estimate(value, row["low"], row["high"])
    return _INTERACTIONS.value(row, effect=effect)


@dataclass(frozen=True, slots=True)
class Training:
    """One training as the journal tells of it."""

    learner: str
    weights: Mapping[str, float]
    """In force after it."""
    replaced: bool
    reason: str
    n: int
    loss_before: float | None = None
    loss_after: float | None = None
    id: int = 0
    created_at: datetime | None = None


_TRAININGS = Rows(roi_weights, Training)


def record_training(journal: Journal, repository: Path, training: Training) -> None:
    """Add a training; what came before it is kept."""
    for value in training.weights.values():
        if not math.isfinite(value):
            raise UsageError(f"a weight is a finite number, not {value}")
    now = to_microseconds(datetime.now(UTC))
    told = _TRAININGS.row(training, repository=place_name(repository), created_at_us=now)
    with journal.writing() as connection:
        connection.execute(insert(roi_weights).values(told))


def load_trainings(journal: Journal, repository: Path, limit: int = 50) -> tuple[Training, ...]:
    """The latest trainings, newest first."""
    with journal.reading() as connection:
        rows = connection.execute(_of(repository).limit(limit)).mappings().all()
    return believed(journal, lambda: tuple(map(_TRAININGS.value, rows)))


def weights_in_force(journal: Journal, repository: Path) -> Mapping[str, float]:
    """The weights after the last training; empty as long as nothing was learned."""
    latest = load_trainings(journal, repository, limit=1)
    return latest[0].weights if latest else {}


def _of(repository: Path) -> Select[tuple[object, ...]]:
    table = roi_weights
    return (
        select(table)
        .where(table.c.repository == place_name(repository))
        .order_by(table.c.id.desc())
    )
