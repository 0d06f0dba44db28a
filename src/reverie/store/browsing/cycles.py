"""Cycles, newest first, each with what became of its dreams; and one of them, step by step."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, RowMapping, func, select

from reverie.errors import UsageError
from reverie.model.cycle import CycleHeader, CycleState, Sighting, Step
from reverie.store import cycle_tables as tables
from reverie.store import rows
from reverie.store.browsing.dreams import place_name
from reverie.store.browsing.walking import ROWS, Condition, Leaf, Walk, place_of, walk
from reverie.store.journal import Journal
from reverie.store.rows import believed
from reverie.store.text import one_line, storable

_ORDER = ("started_at_us", "id")
_ALL = tuple(column.name for column in tables.cycles.columns)
# Long, and no list shows them.
_FIGURES: Mapping[str, None] = {"baseline": None, "result": None}
_LISTED = tuple(name for name in _ALL if name not in _FIGURES)


@dataclass(frozen=True, slots=True)
class CycleLine:
    """A cycle on a list."""

    header: CycleHeader
    statuses: Mapping[str, int]
    """How many of its dreams stand where."""
    findings: int

    @property
    def dreams(self) -> int:
        """How many there were."""
        return sum(self.statuses.values())


@dataclass(frozen=True, slots=True)
class Pulse:
    """What changes while a cycle runs: two that are equal show the same pages."""

    cycle_id: str | None
    state: str | None
    seconds: float
    executions: int
    steps: int
    dreams: int
    touched_at_us: int


def browse_cycles(
    journal: Journal,
    repository: Path,
    after: str | None = None,
    state: CycleState | None = None,
    rows_wanted: int = ROWS,
) -> Leaf[CycleLine]:
    """One page of the cycles of a repository."""
    place = place_name(repository)
    along: tuple[Condition, ...] = (lambda columns: columns["repository"] == place,)
    besides: tuple[Condition, ...] = ()
    if state is not None:
        besides = (lambda columns: columns["state"] == state.value,)
    plan = Walk(tables.cycles, _LISTED, _ORDER, "cycles_by_repository", along, besides)
    with journal.reading() as connection:
        found = walk(connection, plan, place_of(after, int, str), rows_wanted)
        ids = [row["id"] for row in found.rows]
        statuses, findings = _statuses(connection, ids), _findings(connection, ids)
    lines = believed(
        journal,
        lambda: tuple(
            CycleLine(_header(row), statuses[row["id"]], findings.get(row["id"], 0))
            for row in found.rows
        ),
    )
    return Leaf(lines, found.after, found.looked_at)


def load_line(journal: Journal, repository: Path, cycle_id: str) -> CycleLine:
    """One cycle as a list shows it."""
    table, name = tables.cycles, storable(cycle_id)
    query = select(table).where(table.c.id == name, table.c.repository == place_name(repository))
    with journal.reading() as connection:
        row = connection.execute(query).mappings().first()
        if row is None:
            raise UsageError(f"there is no cycle {one_line(cycle_id)[:80]!r} here")
        statuses, findings = _statuses(connection, [name]), _findings(connection, [name])
    return believed(
        journal, lambda: CycleLine(rows.HEADERS.value(row), statuses[name], findings.get(name, 0))
    )


def load_steps(journal: Journal, cycle_id: str, most: int = 500) -> tuple[Step, ...]:
    """The plan of a cycle, as far as a page can show it."""
    table = tables.checkpoints
    query = select(table).where(table.c.cycle_id == cycle_id).order_by(table.c.position)
    with journal.reading() as connection:
        found = connection.execute(query.limit(most)).mappings().all()
    return believed(journal, lambda: tuple(rows.step_of(row) for row in found))


def load_sightings(journal: Journal, cycle_id: str, most: int = 200) -> tuple[Sighting, ...]:
    """What a cycle found for people to look at."""
    table = tables.findings
    order = (table.c.position, table.c.id)
    query = select(table).where(table.c.cycle_id == cycle_id).order_by(*order).limit(most)
    with journal.reading() as connection:
        found = connection.execute(query).mappings().all()
    return believed(journal, lambda: tuple(rows.SIGHTINGS.value(row) for row in found))


def find_cycles(
    journal: Journal, repository: Path, prefix: str, most: int = 10
) -> tuple[CycleHeader, ...]:
    """Cycles whose id begins so."""
    table, low = tables.cycles, storable(prefix)
    query = (
        select(*(table.c[name] for name in _LISTED))
        .where(table.c.id >= low, table.c.id < low + "\U0010ffff")
        .where(table.c.repository == place_name(repository))
        .order_by(table.c.id.desc())
        .limit(most)
    )
    with journal.reading() as connection:
        found = connection.execute(query).mappings().all()
    return believed(journal, lambda: tuple(_header(row) for row in found))


def feel_pulse(journal: Journal, repository: Path) -> Pulse:
    """How far the newest cycle is; cheap enough to be asked every second."""
    cycles, steps, dreams = tables.cycles, tables.checkpoints, tables.dreams
    query = (
        select(cycles.c.id, cycles.c.state, cycles.c.seconds, cycles.c.executions)
        .where(cycles.c.repository == place_name(repository))
        .order_by(cycles.c.started_at_us.desc(), cycles.c.id.desc())
        .limit(1)
    )
    with journal.reading() as connection:
        newest = connection.execute(query).first()
        if newest is None:
            return Pulse(None, None, 0.0, 0, 0, 0, 0)
        counts = select(func.count(), func.max(steps.c.updated_at_us))
        planned = connection.execute(counts.where(steps.c.cycle_id == newest.id)).one()
        dreamt = select(func.count(), func.count(func.nullif(dreams.c.status, "pending_test")))
        known = connection.execute(
            dreamt.select_from(dreams).where(dreams.c.cycle_id == newest.id)
        ).one()
    # Trials change a status, not a count: both are part of what is compared.
    touched = (planned[1] or 0) + known[1]
    return Pulse(*newest, planned[0], known[0], touched)


def _header(row: RowMapping) -> CycleHeader:
    return rows.HEADERS.value({**row, **_FIGURES})


def _statuses(connection: Connection, ids: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    if ids:
        table = tables.dreams
        by = (table.c.cycle_id, table.c.status)
        query = select(*by, func.count()).where(table.c.cycle_id.in_(ids)).group_by(*by)
        for cycle_id, status, count in connection.execute(query):
            found[cycle_id][status] = count
    return found


def _findings(connection: Connection, ids: Sequence[str]) -> Mapping[str, int]:
    if not ids:
        return {}
    table = tables.findings
    query = select(table.c.cycle_id, func.count()).where(table.c.cycle_id.in_(ids))
    return {row[0]: row[1] for row in connection.execute(query.group_by(table.c.cycle_id))}
