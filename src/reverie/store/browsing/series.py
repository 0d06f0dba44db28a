"""Figures cycle by cycle, oldest first, and where the time of the last cycles went.

A plot over time is drawn from these; the portfolio says what each source of changes earned.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, func, select

from reverie.store.journal import Journal
from reverie.store.rows import believed
from reverie.store.scalars import from_microseconds, place_name
from reverie.store.tables import cycle_tables as tables
from reverie.store.tallies import in_force

CYCLES = 60
WIDE_ENOUGH = 0.8
"""Of the modules of the widest measurement: a share of fewer is about something else."""


@dataclass(frozen=True, slots=True)
class CyclePoint:
    """One cycle on a plot. What was not measured is None."""

    cycle_id: str
    started_at: datetime
    line_coverage: float | None
    branch_coverage: float | None
    mutation: float | None
    roi: float | None
    raroi: float | None
    promoted: int
    covered: Mapping[str, Any]
    """Shares of lines and branches by module."""
    is_result: bool = True
    """Whether coverage is that with what was promoted; otherwise as the repository stood."""

    def value(self, name: str) -> float | None:
        """A figure by its name."""
        found = getattr(self, name)
        return None if found is None else float(found)


def load_series(journal: Journal, repository: Path, most: int = CYCLES) -> tuple[CyclePoint, ...]:
    """The newest cycles of a repository that came to an end, oldest first."""
    with journal.reading() as connection:
        found = connection.execute(_newest(repository, most)).mappings().all()
        ids = [row["id"] for row in found]
        worth, noticed = _worth(connection, ids), _noticed(connection, ids)
    return believed(
        journal,
        lambda: tuple(
            _point(row, worth.get(row["id"]), noticed.get(row["id"])) for row in reversed(found)
        ),
    )


def measured_alike(series: Sequence[CyclePoint], name: str) -> list[tuple[CyclePoint, float]]:
    """The cycles that measured a figure, with its value, oldest first.

    Coverage with what was promoted is not followed by coverage without: until somebody merges
    the promotions, that would look like a fall. Nor is that of all modules followed by that of a
    few, which is what a cycle of another stage measures.
    """
    found = [(each, value) for each in series if (value := each.value(name)) is not None]
    if name not in ("line_coverage", "branch_coverage"):
        return found
    if any(each.is_result for each, _ in found):
        found = [(each, value) for each, value in found if each.is_result]
    widest = max((len(each.covered) for each, _ in found), default=0)
    return [(each, value) for each, value in found if len(each.covered) >= WIDE_ENOUGH * widest]


@dataclass(frozen=True, slots=True)
class CommitPoint:
    """A commit as the cycle that measured most modules of it did, before any change."""

    revision: str
    cycle_id: str
    started_at: datetime
    line_coverage: float | None
    branch_coverage: float | None
    covered: Mapping[str, Any]
    """Shares of lines and branches by module."""
    suite: Mapping[str, Any]
    """Tests that passed and failed."""


def load_revisions(
    journal: Journal, repository: Path, most: int = CYCLES
) -> tuple[CommitPoint, ...]:
    """The commits that cycles began with, oldest first, each once."""
    cycles = tables.cycles
    query = (
        select(cycles.c.id, cycles.c.started_at_us, cycles.c.revision, cycles.c.baseline)
        .where(cycles.c.repository == place_name(repository))
        .order_by(cycles.c.started_at_us.desc(), cycles.c.id.desc())
        .limit(most)
    )
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    found: dict[str, CommitPoint] = {}
    for row in rows:
        figures, revision = _figures(row["baseline"] or "{}"), row["revision"] or row["id"]
        known = found.get(revision)
        if figures and (known is None or len(figures.get("covered") or ()) > len(known.covered)):
            found[revision] = _commit_point(row, revision, figures)
    return tuple(sorted(found.values(), key=lambda each: each.started_at))


def _commit_point(row: Any, revision: str, figures: Mapping[str, Any]) -> CommitPoint:
    return CommitPoint(
        revision=revision,
        cycle_id=row["id"],
        started_at=from_microseconds(row["started_at_us"]),
        line_coverage=figures.get("line_coverage"),
        branch_coverage=figures.get("branch_coverage"),
        covered=figures.get("covered") or {},
        suite={name: figures.get(name) for name in ("passed", "failed", "tests", "problem")},
    )


def _newest(repository: Path, most: int) -> Select[Any]:
    cycles = tables.cycles
    return (
        select(
            cycles.c.id,
            cycles.c.started_at_us,
            func.coalesce(cycles.c.result, cycles.c.baseline, "{}").label("figures"),
            cycles.c.result.is_not(None).label("is_result"),
        )
        .where(cycles.c.repository == place_name(repository))
        .order_by(cycles.c.started_at_us.desc(), cycles.c.id.desc())
        .limit(most)
    )


def _point(row: Any, worth: Any, noticed: float | None) -> CyclePoint:
    after = _figures(row["figures"])
    return CyclePoint(
        cycle_id=row["id"],
        started_at=from_microseconds(row["started_at_us"]),
        line_coverage=after.get("line_coverage"),
        branch_coverage=after.get("branch_coverage"),
        mutation=noticed,
        roi=None if worth is None else worth[1],
        raroi=None if worth is None else worth[2],
        promoted=0 if worth is None else worth[0],
        covered=after.get("covered") or {},
        is_result=bool(row["is_result"]),
    )


@lru_cache(maxsize=2 * CYCLES)
def _figures(text: str) -> Mapping[str, Any]:
    """What a cycle measured. A cycle that is over is read once, and shown many times."""
    found: Mapping[str, Any] = json.loads(text)
    return found


@lru_cache(maxsize=8192)
def _judged(text: str) -> tuple[float, float]:
    """How many mutants a trial judged, and the share that was noticed; evidence never changes."""
    measures = json.loads(text)
    judged, share = measures.get("mutants.judged"), measures.get("mutants.score.after")
    if isinstance(judged, int | float) and isinstance(share, int | float):
        return judged, share
    return 0.0, 0.0


def _worth(connection: Connection, ids: Sequence[str]) -> Mapping[str, Any]:
    if not ids:
        return {}
    table = tables.promotions
    sums = (func.count(), func.sum(table.c.roi), func.sum(table.c.raroi))
    query = select(table.c.cycle_id, *sums).where(table.c.cycle_id.in_(ids), in_force())
    found = connection.execute(query.group_by(table.c.cycle_id))
    return {row[0]: (row[1], row[2], row[3]) for row in found}


def _noticed(connection: Connection, ids: Sequence[str]) -> Mapping[str, float]:
    """The share of mutants that tests notice, over all promotions of each cycle."""
    if not ids:
        return {}
    offered, evidence = tables.promotions, tables.evidence
    here = (evidence.c.cycle_id == offered.c.cycle_id) & (evidence.c.dream_id == offered.c.dream_id)
    query = select(offered.c.cycle_id, evidence.c.measures).join(evidence, here)
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for cycle_id, text in connection.execute(query.where(offered.c.cycle_id.in_(ids), in_force())):
        judged, share = _judged(text)
        sums[cycle_id][0] += judged
        sums[cycle_id][1] += judged * share
    return {cycle_id: part / whole for cycle_id, (whole, part) in sums.items() if whole}


PORTFOLIO_CYCLES = 30
"""Cycles that are added up."""


@dataclass(slots=True)
class Earned:
    """One source of changes over some cycles."""

    dreamer: str
    steps: int = 0
    writing_seconds: float = 0.0
    proving_seconds: float = 0.0
    executions: int = 0
    statuses: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """How many of its changes stand where; those that an earlier cycle decided are left out."""
    gains: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Measures of its promoted changes, summed."""

    @property
    def seconds(self) -> float:
        """All of its time."""
        return self.writing_seconds + self.proving_seconds

    @property
    def tried(self) -> int:
        """Changes that were decided on."""
        return sum(self.statuses.values()) - self.statuses["pending_test"]


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Every source of changes that had time in the last cycles, the most time first."""

    cycles: int
    earned: tuple[Earned, ...]
    time_by_module: Mapping[str, tuple[float, float]]
    """Seconds of writing and of proving by module, the most first."""


def load_portfolio(journal: Journal, repository: Path, most: int = PORTFOLIO_CYCLES) -> Portfolio:
    """What the newest cycles spent and got, by source and by module."""
    cycles = tables.cycles
    newest = (
        select(cycles.c.id)
        .where(cycles.c.repository == place_name(repository))
        .order_by(cycles.c.started_at_us.desc(), cycles.c.id.desc())
        .limit(most)
    )
    found: dict[str, Earned] = {}
    modules: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    with journal.reading() as connection:
        ids = connection.execute(newest).scalars().all()
        if ids:
            _add_steps(connection, ids, found, modules)
            _add_trials(connection, ids, found, modules)
            _add_gains(connection, ids, found)
    ordered = tuple(sorted(found.values(), key=lambda each: (-each.seconds, each.dreamer)))
    longest = sorted(modules.items(), key=lambda pair: (-sum(pair[1]), pair[0]))
    times = {name: (spent[0], spent[1]) for name, spent in longest}
    return Portfolio(len(ids), ordered, times)


def _of(found: dict[str, Earned], dreamer: str) -> Earned:
    return found.setdefault(dreamer, Earned(dreamer))


def _add_steps(
    connection: Connection, ids: Sequence[str], found: dict[str, Earned], modules: Any
) -> None:
    table = tables.checkpoints
    sums = (func.count(), func.sum(table.c.seconds), func.sum(table.c.executions))
    by = (table.c.dreamer, table.c.module)
    query = select(*by, *sums).where(table.c.cycle_id.in_(ids), table.c.seconds > 0).group_by(*by)
    for dreamer, module, steps, seconds, executions in connection.execute(query):
        one = _of(found, dreamer)
        one.steps += steps
        one.writing_seconds += seconds
        one.executions += executions
        modules[module][0] += seconds


def _add_trials(
    connection: Connection, ids: Sequence[str], found: dict[str, Earned], modules: Any
) -> None:
    dreams, trials = tables.dreams, tables.trials
    same = (trials.c.cycle_id == dreams.c.cycle_id) & (trials.c.dream_id == dreams.c.id)
    by = (dreams.c.dreamer, dreams.c.module, dreams.c.status)
    query = (
        select(*by, func.count(), func.sum(trials.c.seconds))
        .outerjoin(trials, same)
        .where(dreams.c.cycle_id.in_(ids), dreams.c.known_from.is_(None))
        .group_by(*by)
    )
    for dreamer, module, status, count, seconds in connection.execute(query):
        one = _of(found, dreamer)
        one.statuses[status] += count
        one.proving_seconds += seconds or 0.0
        modules[module][1] += seconds or 0.0


def _add_gains(connection: Connection, ids: Sequence[str], found: dict[str, Earned]) -> None:
    dreams, evidence = tables.dreams, tables.evidence
    same = (evidence.c.cycle_id == dreams.c.cycle_id) & (evidence.c.dream_id == dreams.c.id)
    query = (
        select(dreams.c.dreamer, evidence.c.measures)
        .join(evidence, same)
        .where(dreams.c.cycle_id.in_(ids), dreams.c.known_from.is_(None))
        .where(dreams.c.status == "promoted")
    )
    for dreamer, text in connection.execute(query):
        for name, value in json.loads(text).items():
            if isinstance(value, int | float):
                _of(found, dreamer).gains[name] += value
