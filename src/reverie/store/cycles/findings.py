"""What people said of findings, and canaries: begun, watched from another terminal, ended.

Verdicts are kept for good; the latest word counts.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from sqlalchemy import insert, select, update

from reverie.errors import UsageError
from reverie.model.measurements.equivalence import Canary, CanaryPlan, CanaryState
from reverie.model.repository.environment import Opinion, Verdict
from reverie.store.journal import Journal
from reverie.store.rows import Row, Rows, believed
from reverie.store.scalars import one_line, place_name, storable
from reverie.store.tables.promotion_tables import canaries, finding_verdicts

_VERDICTS = Rows(finding_verdicts, Verdict)


def record_verdict(journal: Journal, repository: Path, verdict: Verdict) -> None:
    """Keep what a person says of a finding."""
    place, why = storable(str(repository.resolve())), storable(one_line(verdict.why))
    told = _VERDICTS.row(verdict, repository=place, why=why)
    with journal.writing() as connection:
        connection.execute(insert(finding_verdicts).values(told))


def load_opinions(journal: Journal, repository: Path) -> Mapping[str, Opinion]:
    """The latest opinion on every finding of a repository, and on functions as `module:name`."""
    place = storable(str(repository.resolve()))
    query = (
        select(finding_verdicts.c.signature, finding_verdicts.c.opinion)
        .where(finding_verdicts.c.repository == place)
        .order_by(finding_verdicts.c.created_at_us)
    )
    with journal.reading() as connection:
        return {row.signature: Opinion(row.opinion) for row in connection.execute(query)}


def load_verdicts(journal: Journal, repository: Path, signature: str) -> tuple[Verdict, ...]:
    """All that people said of one finding, newest first."""
    table = finding_verdicts
    query = (
        select(table)
        .where(table.c.repository == storable(str(repository.resolve())))
        .where(table.c.signature == storable(signature))
        .order_by(table.c.created_at_us.desc())
    )
    with journal.reading() as connection:
        found = connection.execute(query).mappings().all()
    return tuple(_VERDICTS.value(row) for row in found)


_CANARIES = Rows(canaries, Canary)


def record_canary(journal: Journal, repository: Path, canary: Canary) -> None:
    """Note that a canary has begun."""
    place = {"repository": place_name(repository), "share": canary.plan.share}
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
        .where(canaries.c.repository == place_name(repository))
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
