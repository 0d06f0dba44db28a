"""Changes that were put before people in a repository, and what the journal knows they decided."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from reverie.model.cycle import DeedKind, PromotionStatus
from reverie.store.journal import Journal
from reverie.store.scalars import storable
from reverie.store.tables.cycle_tables import cycles, dreams, promotions, trials
from reverie.store.tables.promotion_tables import deeds

MOST = 500
"""The newest so many: older ones tell of another Reverie."""


@dataclass(frozen=True, slots=True)
class PutForward:
    """One change that people could decide on."""

    kind: str
    dreamer: str
    is_rejected: bool
    """A person said no, before or after it was offered."""
    commit: str | None
    """Where it was offered; whether somebody has taken it, git knows."""
    score: Mapping[str, Any]


def load_put_forward(journal: Journal, repository: Path) -> tuple[PutForward, ...]:
    """Promotions and rejections of a repository, newest first."""
    here = cycles.c.repository == storable(str(repository.resolve()))
    of_dream = (dreams.c.kind, dreams.c.dreamer, trials.c.score)
    offered = _joined(promotions, *of_dream, promotions.c.status, promotions.c.commit_id)
    refused = _joined(deeds, *of_dream).where(deeds.c.deed == DeedKind.REJECTION.value)
    found = []
    with journal.reading() as connection:
        newest = promotions.c.created_at_us.desc()
        for row in connection.execute(offered.where(here).order_by(newest).limit(MOST)):
            is_undone = row.status == PromotionStatus.ROLLED_BACK.value
            score = json.loads(row.score)
            found.append(PutForward(row.kind, row.dreamer, is_undone, row.commit_id, score))
        newest = deeds.c.created_at_us.desc()
        rows = connection.execute(refused.where(here).order_by(newest).limit(MOST))
        found += [PutForward(r.kind, r.dreamer, True, None, json.loads(r.score)) for r in rows]
    return tuple(found)


def _joined(table: Any, *columns: Any) -> Any:
    def same(other: Any, name: str) -> Any:
        return (table.c.cycle_id == other.c.cycle_id) & (table.c.dream_id == other.c[name])

    return (
        select(*columns)
        .select_from(table)
        .join(dreams, same(dreams, "id"))
        .join(trials, same(trials, "dream_id"))
        .join(cycles, cycles.c.id == table.c.cycle_id)
    )
