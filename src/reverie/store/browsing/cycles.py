"""Cycles, newest first, with what became of their dreams; one step by step; their findings."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, RowMapping, func, select

from reverie.errors import UsageError
from reverie.model.cycle import CycleHeader, CycleState, Sighting, Step
from reverie.model.repository.environment import Opinion, opinion_on
from reverie.store import rows
from reverie.store.browsing.dreams import own_cycles
from reverie.store.browsing.walking import ROWS, Condition, Leaf, Walk, place_of, walk
from reverie.store.cycles.findings import load_opinions
from reverie.store.journal import Journal
from reverie.store.rows import believed
from reverie.store.scalars import one_line, place_name, storable
from reverie.store.tables import cycle_tables as tables

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


MOST_OF_A_CYCLE = 10_000
_FINDING_ORDER = ("cycle_id", "id")
_FINDING_COLUMNS = tuple(column.name for column in tables.findings.columns)


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding on a list."""

    id: str
    cycle_id: str
    module: str
    title: str
    details: Mapping[str, Any]
    opinion: str | None
    """What a person said of it."""
    subject: str | None = None
    """The callable that it is about, as `module:name`."""


def browse_findings(
    journal: Journal, repository: Path, module: str | None = None, after: str | None = None
) -> Leaf[FindingLine]:
    """One page of the findings of a repository."""
    along: tuple[Condition, ...] = ()
    index = "findings_by_cycle"
    if module is not None:
        name = storable(module)
        along, index = (lambda columns: columns["module"] == name,), "findings_by_module"
    with journal.reading() as connection:
        elsewhere = own_cycles(connection, repository)
        besides = () if elsewhere is None else (elsewhere,)
        plan = Walk(tables.findings, _FINDING_COLUMNS, _FINDING_ORDER, index, along, besides)
        found = walk(connection, plan, place_of(after, str, str))
    opinions = load_opinions(journal, repository)
    return Leaf(tuple(_line(row, opinions) for row in found.rows), found.after, found.looked_at)


def findings_of_cycle(
    journal: Journal, repository: Path, cycle_id: str, most: int = 200
) -> tuple[FindingLine, ...]:
    """What one cycle found, in the order of its plan."""
    table = tables.findings
    query = (
        select(table)
        .where(table.c.cycle_id == storable(cycle_id))
        .order_by(table.c.position, table.c.id)
        .limit(most)
    )
    with journal.reading() as connection:
        found = connection.execute(query).mappings().all()
    opinions = load_opinions(journal, repository)
    return tuple(_line(row, opinions) for row in found)


def load_finding(journal: Journal, repository: Path, cycle_id: str, finding_id: str) -> FindingLine:
    """One finding as one cycle saw it."""
    own = load_line(journal, repository, cycle_id).header.id
    for each in findings_of_cycle(journal, repository, own, MOST_OF_A_CYCLE):
        if each.id == finding_id:
            return each
    raise UsageError(f"there is no finding {one_line(finding_id)[:80]!r} in that cycle")


def find_findings(journal: Journal, repository: Path, prefix: str) -> tuple[FindingLine, ...]:
    """The findings whose id begins so, each as it was seen last."""
    found: dict[str, FindingLine] = {}
    after: str | None = None
    while True:
        leaf = browse_findings(journal, repository, after=after)
        for each in leaf.rows:
            if each.id.startswith(prefix):
                found.setdefault(each.id, each)
        if leaf.after is None:
            return tuple(found.values())
        after = leaf.after


def _line(row: Any, opinions: Mapping[str, Opinion]) -> FindingLine:
    details = json.loads(row["details"])
    seen = Sighting(row["module"], row["title"], details)
    opinion = opinion_on(seen.names, opinions)
    return FindingLine(
        seen.signature,
        row["cycle_id"],
        row["module"],
        row["title"],
        details,
        None if opinion is None else str(opinion),
        seen.function,
    )
