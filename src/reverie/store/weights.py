"""Weights of the parts of ROI, training by training."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Select, insert, select

from reverie.store.clock import from_microseconds, to_microseconds
from reverie.store.governance_tables import roi_weights
from reverie.store.journal import Journal
from reverie.store.reading import believed
from reverie.store.text import storable


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


def record_training(journal: Journal, repository: Path, training: Training) -> None:
    """Add a training; what came before it is kept."""
    told = {
        "repository": storable(str(repository.resolve())),
        "created_at_us": to_microseconds(datetime.now(UTC)),
        "learner": training.learner,
        "weights": json.dumps(dict(training.weights), allow_nan=False, sort_keys=True),
        "replaced": training.replaced,
        "reason": training.reason,
        "n": training.n,
        "loss_before": training.loss_before,
        "loss_after": training.loss_after,
    }
    with journal.writing() as connection:
        connection.execute(insert(roi_weights).values(told))


def load_trainings(journal: Journal, repository: Path, limit: int = 50) -> tuple[Training, ...]:
    """The latest trainings, newest first."""
    with journal.reading() as connection:
        rows = connection.execute(_of(repository).limit(limit)).mappings().all()
    return believed(journal, lambda: tuple(_training(dict(row)) for row in rows))


def weights_in_force(journal: Journal, repository: Path) -> Mapping[str, float]:
    """The weights after the last training; empty as long as nothing was learned."""
    latest = load_trainings(journal, repository, limit=1)
    return latest[0].weights if latest else {}


def _of(repository: Path) -> Select[tuple[object, ...]]:
    place = storable(str(repository.resolve()))
    table = roi_weights
    return select(table).where(table.c.repository == place).order_by(table.c.id.desc())


def _training(row: Mapping[str, Any]) -> Training:
    weights = {str(name): float(value) for name, value in json.loads(row["weights"]).items()}
    return Training(
        learner=row["learner"],
        weights=weights,
        replaced=bool(row["replaced"]),
        reason=row["reason"],
        n=row["n"],
        loss_before=row["loss_before"],
        loss_after=row["loss_after"],
        id=row["id"],
        created_at=from_microseconds(row["created_at_us"]),
    )
