"""Weights of the parts of ROI, training by training."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Select, insert, select

from reverie.errors import UsageError
from reverie.store.clock import to_microseconds
from reverie.store.governance_tables import roi_weights
from reverie.store.journal import Journal
from reverie.store.rows import Rows, believed
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


_TRAININGS = Rows(roi_weights, Training)


def record_training(journal: Journal, repository: Path, training: Training) -> None:
    """Add a training; what came before it is kept."""
    for value in training.weights.values():
        if not math.isfinite(value):
            raise UsageError(f"a weight is a finite number, not {value}")
    now = to_microseconds(datetime.now(UTC))
    told = _TRAININGS.row(training, repository=_place(repository), created_at_us=now)
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
    return select(table).where(table.c.repository == _place(repository)).order_by(table.c.id.desc())


def _place(repository: Path) -> str:
    return storable(str(repository.resolve()))
