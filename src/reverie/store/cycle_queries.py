"""Looking back at cycles: for the report, for recovery, and so that nothing is tried twice."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection, RowMapping, Select, Table, func, select

from reverie.errors import UsageError
from reverie.model.cycle import CycleDream, CycleHeader, CycleRecord, CycleState, StepState
from reverie.model.dream import DreamStatus
from reverie.store import cycle_tables as tables
from reverie.store import rows
from reverie.store.journal import Journal
from reverie.store.rows import believed
from reverie.store.text import one_line, storable

DECIDED = (DreamStatus.PROMOTED, DreamStatus.REJECTED, DreamStatus.BORDERLINE)
"""Where a dream may stand for good: it is not tried again on the same source."""


def list_cycles(journal: Journal, repository: Path, limit: int = 50) -> tuple[CycleHeader, ...]:
    """The cycles of a repository, newest first."""
    with journal.reading() as connection:
        found = connection.execute(_of(repository).limit(limit)).mappings().all()
    return tuple(believed(journal, lambda: [rows.HEADERS.value(row) for row in found]))


def find_cycle(journal: Journal, repository: Path, given: str | None = None) -> str:
    """The id of the cycle that a text names, by its beginning; without one, of the newest."""
    query = _of(repository).limit(2)
    if given is not None:
        table = tables.cycles
        query = query.where(table.c.id.startswith(storable(given), autoescape=True))
    with journal.reading() as connection:
        found = [str(row["id"]) for row in connection.execute(query).mappings()]
    if not found:
        named = "" if given is None else f" {one_line(given)!r}"
        raise UsageError(f"there is no cycle{named} in {journal.location}")
    if given is not None and len(found) > 1 and given not in found:
        raise UsageError(f"more than one cycle has an id that starts with {one_line(given)!r}")
    return found[0]


def unfinished_cycle(journal: Journal, repository: Path) -> str | None:
    """The newest cycle, when it did not come to its end: killed, interrupted or failed."""
    headers = list_cycles(journal, repository, limit=1)
    is_open = bool(headers) and headers[0].state is not CycleState.FINISHED
    return headers[0].id if is_open else None


def load_cycle(journal: Journal, cycle_id: str) -> CycleRecord:
    """A cycle with everything that happened in it."""
    with journal.reading() as connection:
        cycle = select(tables.cycles).where(tables.cycles.c.id == cycle_id)
        header = connection.execute(cycle).mappings().first()
        if header is None:
            raise UsageError(f"there is no cycle {one_line(cycle_id)!r} in {journal.location}")
        steps = _rows(connection, tables.checkpoints, cycle_id, "position")
        seen = _rows(connection, tables.findings, cycle_id, "position", "id")
        dreams = believed(journal, lambda: _dreams(connection, cycle_id))
    return believed(
        journal,
        lambda: CycleRecord(
            header=rows.HEADERS.value(header),
            steps=tuple(rows.step_of(row) for row in steps),
            dreams=dreams,
            sightings=tuple(rows.SIGHTINGS.value(row) for row in seen),
        ),
    )


def known_dreams(
    journal: Journal, repository: Path, but: str
) -> Mapping[tuple[str, str], CycleDream]:
    """Dreams that other cycles decided on, by id and source, each as it was decided last."""
    with journal.reading() as connection:
        found = connection.execute(_decided(repository, but)).mappings().all()
    return {(row["id"], row["source_hash"]): _known(journal, row) for row in found}


def find_known(
    journal: Journal, repository: Path, but: str, dream_id: str, source_hash: str
) -> CycleDream | None:
    """One of them: a cycle asks about its own few dreams, however many there ever were."""
    table = tables.dreams
    query = _decided(repository, but).where(
        table.c.id == dream_id, table.c.source_hash == source_hash
    )
    with journal.reading() as connection:
        found = connection.execute(query).mappings().all()
    return _known(journal, found[-1]) if found else None


def _decided(repository: Path, but: str) -> Select[tuple[object, ...]]:
    table, cycles = tables.dreams, tables.cycles
    return (
        select(table)
        .join(cycles, cycles.c.id == table.c.cycle_id)
        .where(cycles.c.repository == _place(repository), cycles.c.id != but)
        .where(table.c.status.in_([status.value for status in DECIDED]))
        .order_by(cycles.c.started_at_us)
    )


def _known(journal: Journal, row: RowMapping) -> CycleDream:
    told = {**row, "known_from": row["known_from"] or row["cycle_id"]}
    return believed(journal, lambda: rows.dream_of(told, None, None))


def finished_sources(journal: Journal, repository: Path, but: str) -> Mapping[str, str]:
    """Sources that another cycle dreamt about to the end, with the id of the newest that did.

    Ids begin with the moment of their cycle, so the greatest is the newest.
    """
    table, cycles = tables.checkpoints, tables.cycles
    query = (
        select(table.c.source_hash, table.c.dreamer, func.max(cycles.c.id).label("id"))
        .join(cycles, cycles.c.id == table.c.cycle_id)
        .where(cycles.c.repository == _place(repository), cycles.c.id != but)
        .where(table.c.state == StepState.DONE.value)
        .group_by(table.c.source_hash, table.c.dreamer)
    )
    with journal.reading() as connection:
        found = connection.execute(query).all()
    return {f"{row.dreamer} {row.source_hash}": row.id for row in found}


def _of(repository: Path) -> Select[tuple[object, ...]]:
    table = tables.cycles
    newest_first = (table.c.started_at_us.desc(), table.c.id.desc())
    return select(table).where(table.c.repository == _place(repository)).order_by(*newest_first)


def _place(repository: Path) -> str:
    return storable(str(repository.resolve()))


def _rows(connection: Connection, table: Table, cycle_id: str, *order: str) -> list[RowMapping]:
    query = select(table).where(table.c.cycle_id == cycle_id)
    return list(connection.execute(query.order_by(*(table.c[name] for name in order))).mappings())


def _dreams(connection: Connection, cycle_id: str) -> tuple[CycleDream, ...]:
    measured = {row["dream_id"]: row for row in _rows(connection, tables.evidence, cycle_id)}
    offered = {row["dream_id"]: row for row in _rows(connection, tables.promotions, cycle_id)}
    tried = {row["dream_id"]: row for row in _rows(connection, tables.trials, cycle_id)}
    ruled = defaultdict(list)
    for row in _rows(connection, tables.rulings, cycle_id, "position"):
        ruled[row["dream_id"]].append(rows.RULINGS.value(row))
    found = []
    for row in _rows(connection, tables.dreams, cycle_id, "position", "id"):
        name = row["id"]
        trial = promotion = None
        if name in tried:
            evidence = rows.EVIDENCE.value(measured[name])
            trial = rows.trial_of(tried[name], evidence, tuple(ruled[name]))
        if name in offered:
            promotion = rows.promotion_of(offered[name], row)
        found.append(rows.dream_of(row, trial, promotion))
    return tuple(found)
