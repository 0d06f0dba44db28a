"""What was proposed for a module before and why it was refused, and what was found there."""

from pathlib import Path
from typing import Any

from sqlalchemy import select

from reverie.model.dream import DreamStatus
from reverie.model.ruling import Answer
from reverie.store.journal import Journal
from reverie.store.scalars import storable
from reverie.store.tables.cycle_tables import cycles, dreams, findings, rulings

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
