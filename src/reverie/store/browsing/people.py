"""What waits for people, and what they did about it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from reverie.model.cycle import Deed, DeedKind
from reverie.model.dream import DreamStatus
from reverie.store.browsing.dreams import DreamFilter, DreamLine, list_dreams, own_cycles
from reverie.store.browsing.walking import ROWS, Leaf, Walk, about, walk
from reverie.store.journal import Journal
from reverie.store.rows import Rows, believed
from reverie.store.scalars import from_microseconds, one_line, storable
from reverie.store.tables.cycle_tables import dreams, evidence, promotions
from reverie.store.tables.promotion_tables import approvals, deeds, rollbacks
from reverie.store.tallies import counted

_ORDER = ("created_at_us", "cycle_id", "dream_id")
_OFFERED = ("status", "branch", "commit_id", "patch")
_DEEDS = Rows(deeds, Deed, kind="deed")


@dataclass(frozen=True, slots=True)
class OfferedLine:
    """A promotion on a list."""

    cycle_id: str
    dream_id: str
    title: str
    module: str
    kind: str
    status: str
    branch: str | None
    commit_id: str | None
    patch: str | None
    measures: Mapping[str, float]
    created_at: datetime


def waiting_lines(
    journal: Journal, repository: Path, after: str | None = None, rows_wanted: int = ROWS
) -> Leaf[DreamLine]:
    """Dreams that evidence speaks for and that are not offered, newest first."""
    wanted = DreamFilter(status=DreamStatus.TESTED)
    return list_dreams(journal, repository, wanted, after, rows_wanted)


def borderline_lines(journal: Journal, repository: Path) -> Leaf[DreamLine]:
    """Dreams on the border, newest first."""
    return list_dreams(journal, repository, DreamFilter(status=DreamStatus.BORDERLINE))


def offered_lines(journal: Journal, repository: Path) -> tuple[OfferedLine, ...]:
    """The newest promotions, also those that were taken back."""
    with journal.reading() as connection:
        elsewhere = own_cycles(connection, repository)
        besides = () if elsewhere is None else (elsewhere,)
        plan = Walk(promotions, _OFFERED, _ORDER, "promotions_by_time", (), besides)
        found = walk(connection, plan, None).rows
        known = _dreams(connection, [(row["cycle_id"], row["dream_id"]) for row in found])
    return tuple(_offered(row, known[row["cycle_id"], row["dream_id"]]) for row in found)


def _dreams(
    connection: Connection, keys: Sequence[tuple[str, str]]
) -> Mapping[tuple[str, str], Any]:
    if not keys:
        return {}
    named = (*dreams.c["cycle_id", "id", "title", "module", "kind"], evidence.c.measures)
    same = (evidence.c.cycle_id == dreams.c.cycle_id) & (evidence.c.dream_id == dreams.c.id)
    query = select(*named).outerjoin(evidence, same)
    rows = connection.execute(query.where(*about(dreams.c.cycle_id, dreams.c.id, keys))).mappings()
    return {(row["cycle_id"], row["id"]): row for row in rows}


def approvals_counted(journal: Journal, keys: list[tuple[str, str]]) -> Mapping[str, list[str]]:
    """Who has signed for each of some dreams, by `cycle dream`; nothing of it is checked here."""
    found: dict[str, list[str]] = {}
    if not keys:
        return found
    ids = sorted({dream_id for _, dream_id in keys})
    query = select(approvals.c.cycle_id, approvals.c.dream_id, approvals.c.name)
    with journal.reading() as connection:
        for row in connection.execute(query.where(approvals.c.dream_id.in_(ids))):
            found.setdefault(f"{row.cycle_id} {row.dream_id}", []).append(row.name)
    return found


def record_deed(journal: Journal, cycle_id: str, deed: Deed) -> None:
    """Keep what a person did and signed; a rejected dream is one from then on."""
    told = _DEEDS.row(deed, cycle_id=cycle_id, why=storable(one_line(deed.why)))
    place = (dreams.c.cycle_id == cycle_id, dreams.c.id == deed.dream_id)
    with journal.writing() as connection, counted(connection, cycle_id, [deed.dream_id]):
        if deed.kind is DeedKind.REJECTION:
            changed = dreams.update().where(*place).values(status=DreamStatus.REJECTED.value)
            connection.execute(changed)
        connection.execute(insert(deeds).values(told))


def load_deeds(journal: Journal, cycle_id: str, dream_id: str) -> tuple[Deed, ...]:
    """What people did about a dream, oldest first."""
    place = (deeds.c.cycle_id == cycle_id, deeds.c.dream_id == dream_id)
    query = select(deeds).where(*place).order_by(deeds.c.created_at_us)
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return believed(journal, lambda: tuple(map(_DEEDS.value, rows)))


def load_rollbacks(journal: Journal, cycle_id: str, dream_id: str) -> list[Mapping[str, Any]]:
    """How often and how a promotion was taken back, oldest first."""
    place = (rollbacks.c.cycle_id == cycle_id, rollbacks.c.dream_id == dream_id)
    query = select(rollbacks).where(*place).order_by(rollbacks.c.created_at_us)
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return [{**row, "created_at": from_microseconds(row["created_at_us"])} for row in rows]


def _offered(row: Any, dream: Any) -> OfferedLine:
    return OfferedLine(
        **{name: row[name] for name in ("cycle_id", "dream_id", *_OFFERED)},
        **{name: dream[name] for name in ("title", "module", "kind")},
        created_at=from_microseconds(row["created_at_us"]),
        measures=json.loads(dream["measures"] or "{}"),
    )
