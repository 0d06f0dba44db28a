"""Canaries in the journal: begun, watched from another terminal, ended."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select, update

from reverie.errors import UsageError
from reverie.model.canary import Canary, CanaryFigures, CanaryPlan, CanaryState
from reverie.store.clock import from_microseconds, to_microseconds
from reverie.store.discovery_tables import canaries
from reverie.store.journal import Journal
from reverie.store.text import storable


def record_canary(journal: Journal, repository: Path, canary: Canary) -> None:
    """Note that a canary has begun."""
    told = {
        "id": canary.id,
        "repository": _place(repository),
        "dream_id": canary.dream_id,
        "old": storable(canary.old),
        "new": storable(canary.new),
        "share": canary.plan.share,
        "started_at_us": to_microseconds(canary.started_at),
        **_changing(canary),
    }
    with journal.writing() as connection:
        connection.execute(insert(canaries).values(told))


def update_canary(journal: Journal, canary: Canary) -> None:
    """Note how a canary goes, or how it ended; a wish to stop it is not written over."""
    place = update(canaries).where(canaries.c.id == canary.id)
    if canary.state is CanaryState.RUNNING:
        place = place.where(canaries.c.state == CanaryState.RUNNING.value)
    with journal.writing() as connection:
        connection.execute(place.values(_changing(canary)))


def ask_to_stop(journal: Journal, canary: Canary) -> bool:
    """Ask a running canary to end; False when it does not run."""
    place = update(canaries).where(
        canaries.c.id == canary.id, canaries.c.state == CanaryState.RUNNING.value
    )
    with journal.writing() as connection:
        changed = connection.execute(place.values(state=CanaryState.STOPPING.value))
    return changed.rowcount == 1


def find_canary(journal: Journal, repository: Path, given: str | None) -> Canary:
    """The canary that an id or its beginning names; without one, the newest."""
    query = (
        select(canaries)
        .where(canaries.c.repository == _place(repository))
        .order_by(canaries.c.started_at_us.desc(), canaries.c.id.desc())
    )
    if given is not None:
        query = query.where(canaries.c.id.startswith(storable(given), autoescape=True))
    with journal.reading() as connection:
        row = connection.execute(query.limit(1)).mappings().first()
    if row is None:
        named = "" if given is None else f" {given!r:.40}"
        raise UsageError(f"no canary{named} was started here ({journal.location})")
    return _canary(dict(row))


def _changing(canary: Canary) -> dict[str, Any]:
    ended = canary.ended_at
    return {
        "state": canary.state.value,
        "ended_at_us": None if ended is None else to_microseconds(ended),
        "figures": json.dumps(canary.figures.document()),
        "reason": None if canary.reason is None else storable(canary.reason),
    }


def _canary(row: dict[str, Any]) -> Canary:
    ended: datetime | None = None
    if row["ended_at_us"] is not None:
        ended = from_microseconds(row["ended_at_us"])
    return Canary(
        id=row["id"],
        old=row["old"],
        new=row["new"],
        dream_id=row["dream_id"],
        plan=replace(CanaryPlan(), share=row["share"]),
        state=CanaryState(row["state"]),
        started_at=from_microseconds(row["started_at_us"]),
        ended_at=ended,
        figures=CanaryFigures(**json.loads(row["figures"])),
        reason=row["reason"],
    )


def _place(repository: Path) -> str:
    return storable(str(repository.resolve()))
