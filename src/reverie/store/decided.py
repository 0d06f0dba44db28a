"""What became of earlier changes: what people decided, what was refused, what was found."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from reverie.model.cycle import DeedKind, PromotionStatus
from reverie.model.dream import DreamStatus
from reverie.model.ruling import Answer
from reverie.store.journal import Journal
from reverie.store.scalars import storable
from reverie.store.tables.cycle_tables import cycles, dreams, findings, promotions, rulings, trials
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


_REFUSED = (DreamStatus.REJECTED.value, DreamStatus.BORDERLINE.value)


def refusals_of(journal: Journal, repository: Path, module: str, limit: int) -> tuple[str, ...]:
    """Changes of a module that were refused, newest first: the title and the first objection."""
    same = (rulings.c.cycle_id == dreams.c.cycle_id) & (rulings.c.dream_id == dreams.c.id)
    query = (
        select(dreams.c.id, dreams.c.title, rulings.c.gate, rulings.c.reason)
        .join(cycles, cycles.c.id == dreams.c.cycle_id)
        .join(rulings, same)
        .where(cycles.c.repository == storable(str(repository.resolve())))
        .where(dreams.c.module == storable(module), dreams.c.status.in_(_REFUSED))
        .where(rulings.c.verdict != Answer.PASS.value)
        .order_by(dreams.c.created_at_us.desc(), rulings.c.position)
    )
    found: dict[str, str] = {}
    with journal.reading() as connection:
        for row in connection.execute(query.limit(50 * limit)):
            found.setdefault(row.id, f"{row.title}: {row.gate}: {row.reason}")
            if len(found) > limit:
                break
    return tuple(found.values())[:limit]


def findings_about(
    journal: Journal, repository: Path, module: str, limit: int
) -> tuple[dict[str, Any], ...]:
    """Behaviour of a module that looks like a fault, newest first: title and details as JSON."""
    query = (
        select(findings.c.title, findings.c.details)
        .join(cycles, cycles.c.id == findings.c.cycle_id)
        .where(cycles.c.repository == storable(str(repository.resolve())))
        .where(findings.c.module == storable(module))
        .order_by(cycles.c.started_at_us.desc())
    )
    with journal.reading() as connection:
        rows = connection.execute(query.limit(limit)).all()
    return tuple({"title": row.title, "details": row.details} for row in rows)
