"""Canaries in the journal: begun, watched from another terminal, ended."""

from dataclasses import replace
from pathlib import Path

from sqlalchemy import insert, select, update

from reverie.errors import UsageError
from reverie.model.canary import Canary, CanaryPlan, CanaryState
from reverie.store.discovery_tables import canaries
from reverie.store.journal import Journal
from reverie.store.rows import Row, Rows, believed
from reverie.store.text import storable

_CANARIES = Rows(canaries, Canary)


def record_canary(journal: Journal, repository: Path, canary: Canary) -> None:
    """Note that a canary has begun."""
    place = {"repository": _place(repository), "share": canary.plan.share}
    told = _CANARIES.row(canary, **place)
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
    plan = replace(CanaryPlan(), share=row["share"])
    return believed(journal, lambda: _CANARIES.value(row, plan=plan))


def _changing(canary: Canary) -> Row:
    row = _CANARIES.row(canary)
    return {name: row[name] for name in ("state", "ended_at_us", "figures", "reason")}


def _place(repository: Path) -> str:
    return storable(str(repository.resolve()))
