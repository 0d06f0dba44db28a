"""What every tried dream of a repository was worth, oldest first."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import select

from reverie.model.dream import DreamKind
from reverie.model.worth import RoiRow
from reverie.store.cycle_tables import checkpoints, cycles, dreams, trials
from reverie.store.journal import Journal
from reverie.store.text import storable

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
        minutes=score.get("roi"),
        groups=groups,
        parts=parts_of(score),
        entropy=score.get("entropy"),
        source_hash=row["content_hash"] or "",
        cycle_id=row["cycle_id"],
        raroi=score.get("raroi"),
    )


def parts_of(score: Mapping[str, Any]) -> Mapping[str, float]:
    """The parts of a score by name, in minutes; what costs is negative."""
    return {
        name.removeprefix(side): sign * float(value)
        for name, value in score.items()
        for side, sign in _SIDES.items()
        if name.startswith(side)
    }
