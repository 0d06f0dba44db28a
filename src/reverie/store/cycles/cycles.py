"""Cycles in the journal: written step by step, and looked back at.

Every step is one transaction, or nothing. They are read for the report, for recovery, and so that
nothing is tried twice.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    Subquery,
    Table,
    exists,
    func,
    insert,
    select,
    update,
)

from reverie.errors import StoreError, UsageError
from reverie.model.cycle import (
    CycleDream,
    CycleHeader,
    CycleRecord,
    CycleState,
    Promotion,
    PromotionStatus,
    Sighting,
    Step,
    StepState,
    Trial,
)
from reverie.model.dream import DreamStatus
from reverie.model.ruling import Verdict
from reverie.store import rows
from reverie.store.journal import Journal
from reverie.store.retention import count_executions
from reverie.store.rows import believed
from reverie.store.scalars import now_microseconds, one_line, place_name, storable
from reverie.store.tables import cycle_tables as tables
from reverie.store.tables.promotion_tables import rollbacks
from reverie.store.tallies import counted

STATUS_AFTER = {
    Verdict.PROMOTE: DreamStatus.TESTED,
    Verdict.PILOT: DreamStatus.BORDERLINE,
    Verdict.BORDERLINE: DreamStatus.BORDERLINE,
    Verdict.REJECT: DreamStatus.REJECTED,
}
"""What a verdict makes of a dream. One that passed is `tested` until it is on its branch."""


@dataclass(frozen=True, slots=True)
class CycleWriter:
    """One cycle of one journal, as it happens."""

    journal: Journal
    cycle_id: str

    def begin(self, header: CycleHeader) -> None:
        """Note that the cycle has started."""
        with self.journal.writing() as connection:
            connection.execute(insert(tables.cycles).values(rows.header_row(header)))

    def plan(self, header: CycleHeader, steps: Sequence[Step]) -> None:
        """Note what was measured before, and what is going to be done."""
        now = now_microseconds()
        with self.journal.writing() as connection:
            self._update_cycle(connection, rows.header_row(header))
            if steps:
                planned = [rows.step_row(self.cycle_id, step, now) for step in steps]
                connection.execute(insert(tables.checkpoints), planned)

    def choose_branch(self, branch: str) -> None:
        """Note where promotions go, before the first one does."""
        with self.journal.writing() as connection:
            self._update_cycle(connection, {"branch": branch})

    def dreamt(
        self, step: Step, dreams: Sequence[CycleDream], sightings: Sequence[Sighting]
    ) -> int:
        """Note what a step dreamt up; with nothing left to try, the step is done.

        A finding that another step of the cycle has told is not told again. How many are new.
        """
        pending = any(each.status is DreamStatus.PENDING_TEST for each in dreams)
        step = replace(step, state=StepState.DREAMT if pending else StepState.DONE)
        now = now_microseconds()
        with self.journal.writing() as connection:
            self._save_step(connection, step)
            if dreams:
                ids = [each.dream.id for each in dreams]
                told = [rows.dream_row(self.cycle_id, each, now) for each in dreams]
                with counted(connection, self.cycle_id, ids):
                    connection.execute(insert(tables.dreams), told)
            return self._note_findings(connection, step.position, sightings)

    def saw(self, position: int, sightings: Sequence[Sighting]) -> int:
        """Note what came to light while a dream of a step was tried. How many are new."""
        with self.journal.writing() as connection:
            return self._note_findings(connection, position, sightings)

    def _note_findings(
        self, connection: Connection, position: int, sightings: Sequence[Sighting]
    ) -> int:
        known = set(self._told(connection)) if sightings else set()
        found = []
        for each in sightings:
            if not known & {each.signature, each.behaviour}:
                found.append(self._finding(position, each))
            known |= {each.signature, each.behaviour}
        if found:
            connection.execute(insert(tables.findings), found)
        return len(found)

    def added(self, each: CycleDream) -> CycleDream:
        """Note a dream that came up after the others of its step."""
        told = rows.dream_row(self.cycle_id, each, now_microseconds())
        with (
            self.journal.writing() as connection,
            counted(connection, self.cycle_id, [each.dream.id]),
        ):
            connection.execute(insert(tables.dreams).values(told))
        return each

    def revised(self, each: CycleDream, revised: CycleDream) -> CycleDream:
        """Put another dream in the place of one that was not tried yet."""
        told = rows.dream_row(self.cycle_id, revised, now_microseconds())
        table = tables.dreams
        is_it = (table.c.cycle_id == self.cycle_id) & (table.c.id == each.dream.id)
        ids = [each.dream.id, revised.dream.id]
        with self.journal.writing() as connection, counted(connection, self.cycle_id, ids):
            connection.execute(update(table).where(is_it).values(told))
        return revised

    def tried(self, each: CycleDream, trial: Trial) -> CycleDream:
        """Note what a trial came to; the dream as it stands now."""
        verdict = trial.judgement.verdict
        status = STATUS_AFTER[verdict]
        key = {"cycle_id": self.cycle_id, "dream_id": each.dream.id}
        needs = rows.as_json(trial.judgement.needs)
        outcome = rows.TRIALS.row(
            trial, verdict=verdict.value, needs=needs, ended_at_us=now_microseconds()
        )
        with self._changing(each.dream.id) as connection:
            connection.execute(insert(tables.trials).values({**key, **outcome}))
            measured = rows.EVIDENCE.row(trial.evidence)
            connection.execute(insert(tables.evidence).values({**key, **measured}))
            answers = [
                rows.RULINGS.row(ruling, position=position, **key)
                for position, ruling in enumerate(trial.judgement.rulings)
            ]
            if answers:
                connection.execute(insert(tables.rulings), answers)
            self._set_status(connection, each.dream.id, status)
        return replace(each, trial=trial, status=status)

    def promoted(self, each: CycleDream, promotion: Promotion) -> CycleDream:
        """Note where a dream was offered."""
        key = {"cycle_id": self.cycle_id, "dream_id": each.dream.id}
        with self._changing(each.dream.id) as connection:
            told = rows.PROMOTIONS.row(promotion, **key)
            connection.execute(insert(tables.promotions).values(told))
            self._set_status(connection, each.dream.id, DreamStatus.PROMOTED)
        return replace(each, promotion=promotion, status=DreamStatus.PROMOTED)

    def put_aside(self, each: CycleDream, status: DreamStatus) -> CycleDream:
        """Note that a dream will not be tried here."""
        with self._changing(each.dream.id) as connection:
            self._set_status(connection, each.dream.id, status)
        return replace(each, status=status)

    def end_step(self, step: Step) -> None:
        """Note that a step is over: done, skipped or failed."""
        with self.journal.writing() as connection:
            self._save_step(connection, step)

    def conclude(self, result: Mapping[str, Any]) -> None:
        """Note what all promotions together came to."""
        with self.journal.writing() as connection:
            self._update_cycle(connection, {"result": rows.as_json(result)})

    def spent(self, seconds: float, executions: int) -> None:
        """Note how much has gone into the cycle."""
        with self.journal.writing() as connection:
            self._update_cycle(connection, {"seconds": seconds, "executions": executions})

    def end(self, state: CycleState, error: str | None = None) -> None:
        """Note that the cycle is over."""
        ended = {"state": state.value, "ended_at_us": now_microseconds()}
        why = None if error is None else storable(error)
        with self.journal.writing() as connection:
            self._update_cycle(connection, {**ended, "error": why})
            count_executions(connection)

    def resume(self) -> None:
        """Note that somebody goes on with it."""
        going = {"state": CycleState.RUNNING.value, "ended_at_us": None, "error": None}
        with self.journal.writing() as connection:
            self._update_cycle(connection, going)

    @contextmanager
    def _changing(self, dream_id: str) -> Iterator[Connection]:
        with (
            self.journal.writing() as connection,
            counted(connection, self.cycle_id, [dream_id]),
        ):
            yield connection

    def _update_cycle(self, connection: Connection, values: rows.Row) -> None:
        table = tables.cycles
        changed = update(table).where(table.c.id == self.cycle_id).values(values)
        self._require(connection.execute(changed).rowcount, "cycle")

    def _save_step(self, connection: Connection, step: Step) -> None:
        table = tables.checkpoints
        place = (table.c.cycle_id == self.cycle_id, table.c.position == step.position)
        told = rows.step_row(self.cycle_id, step, now_microseconds())
        self._require(connection.execute(update(table).where(*place).values(told)).rowcount, "step")

    def _set_status(self, connection: Connection, dream_id: str, status: DreamStatus) -> None:
        table = tables.dreams
        place = (table.c.cycle_id == self.cycle_id, table.c.id == dream_id)
        changed = update(table).where(*place).values(status=status.value)
        self._require(connection.execute(changed).rowcount, "dream")

    def _require(self, changed: int, what: str) -> None:
        if changed != 1:
            where = f"the journal {self.journal.location}"
            raise StoreError(f"{where} has lost a {what} of the cycle {self.cycle_id}")

    def _told(self, connection: Connection) -> frozenset[str]:
        """The findings of this cycle, by signature and by behaviour."""
        table = tables.findings
        query = select(table).where(table.c.cycle_id == self.cycle_id)
        found = connection.execute(query).mappings().all()
        return _keys(rows.SIGHTINGS.value(row) for row in found)

    def _finding(self, position: int, sighting: Sighting) -> rows.Row:
        place = {"cycle_id": self.cycle_id, "id": _name(sighting), "position": position}
        return rows.SIGHTINGS.row(sighting, **place)


def _name(sighting: Sighting) -> str:
    told = "\0".join((sighting.module, sighting.title, rows.as_json(sighting.details)))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
    table, cycles, offered = tables.dreams, tables.cycles, tables.promotions
    decided_by = func.coalesce(table.c.known_from, table.c.cycle_id)
    is_taken_back = exists().where(
        offered.c.cycle_id == decided_by,
        offered.c.dream_id == table.c.id,
        offered.c.status == PromotionStatus.ROLLED_BACK.value,
    )
    return (
        select(table)
        .join(cycles, cycles.c.id == table.c.cycle_id)
        .where(cycles.c.repository == place_name(repository), cycles.c.id != but)
        .where(table.c.status.in_([status.value for status in DECIDED]), ~is_taken_back)
        .order_by(cycles.c.started_at_us)
    )


def _known(journal: Journal, row: RowMapping) -> CycleDream:
    told = {**row, "known_from": row["known_from"] or row["cycle_id"]}
    return believed(journal, lambda: rows.dream_of(told, None, None))


def finished_sources(journal: Journal, repository: Path, but: str) -> Mapping[str, str]:
    """Sources that another cycle dreamt about to the end, with the id of the newest that did."""
    table = tables.checkpoints
    query = _finished(repository, but, table.c.dreamer, table.c.source_hash)
    with journal.reading() as connection:
        found = connection.execute(query).all()
    return {f"{dreamer} {source}": cycle for dreamer, source, cycle in found}


def finished_modules(
    journal: Journal, repository: Path, revision: str | None, but: str
) -> Mapping[str, str]:
    """Modules that another cycle dreamt about to the end from the same commit, whatever it added.

    A later stage of a cycle stands on more than that commit: its sources have other hashes, and
    its modules may read otherwise. They count as looked at until anything of it is taken back.
    """
    table, cycles = tables.checkpoints, tables.cycles
    if revision is None:
        return {}
    query = _finished(repository, but, table.c.dreamer, table.c.module, table.c.content_hash)
    anywhere = _finished(repository, but, table.c.dreamer, table.c.module)
    anywhere = anywhere.where(cycles.c.id.not_in(select(rollbacks.c.cycle_id)))
    with journal.reading() as connection:
        found = connection.execute(query.where(cycles.c.revision == revision)).all()
        whole = connection.execute(anywhere.where(cycles.c.revision == revision)).all()
    known = {f"{dreamer} {module} {content}": cycle for dreamer, module, content, cycle in found}
    return known | {f"{dreamer} {module}": cycle for dreamer, module, cycle in whole}


def told_findings(
    journal: Journal, repository: Path, revision: str | None, but: str
) -> frozenset[str]:
    """Findings that other cycles told which began at the same commit.

    By signature and by behaviour.
    """
    if revision is None:
        return frozenset()
    table, cycles = tables.findings, tables.cycles
    query = (
        select(table)
        .join(cycles, cycles.c.id == table.c.cycle_id)
        .where(cycles.c.repository == place_name(repository), cycles.c.id != but)
        .where(cycles.c.revision == revision)
    )
    with journal.reading() as connection:
        found = connection.execute(query).mappings().all()
    return _keys(believed(journal, lambda: [rows.SIGHTINGS.value(row) for row in found]))


def _keys(found: Iterable[Sighting]) -> frozenset[str]:
    return frozenset(key for each in found for key in (each.signature, each.behaviour))


def _finished(repository: Path, but: str, *known_by: Column[Any]) -> Select[Any]:
    """Steps that other cycles did, the newest cycle last; not where they were taken back since.

    Two cycles may begin in one second: then their ids do not tell which is the newer one.
    """
    table, cycles = tables.checkpoints, tables.cycles
    gone = _taken_back(repository)
    is_same = (gone.c.dreamer == table.c.dreamer) & (gone.c.module == table.c.module)
    return (
        select(*known_by, cycles.c.id)
        .join(cycles, cycles.c.id == table.c.cycle_id)
        .outerjoin(gone, is_same)
        .where(cycles.c.repository == place_name(repository), cycles.c.id != but)
        .where(table.c.state == StepState.DONE.value)
        .where(gone.c.newest.is_(None) | (gone.c.newest < table.c.updated_at_us))
        .order_by(cycles.c.started_at_us, cycles.c.id)
    )


def _taken_back(repository: Path) -> Subquery:
    """Who dreamt about which module what is no longer offered, and when the last of it went."""
    steps, cycles, dreams = tables.checkpoints, tables.cycles, tables.dreams
    offered = tables.promotions

    def same(table: Table, name: str) -> ColumnElement[bool]:
        return (table.c.cycle_id == rollbacks.c.cycle_id) & (table.c[name] == rollbacks.c.dream_id)

    is_its_step = (steps.c.cycle_id == dreams.c.cycle_id) & (steps.c.position == dreams.c.position)
    return (
        select(steps.c.dreamer, steps.c.module, func.max(rollbacks.c.created_at_us).label("newest"))
        .select_from(rollbacks)
        .join(offered, same(offered, "dream_id"))
        .join(dreams, same(dreams, "id"))
        .join(steps, is_its_step)
        .join(cycles, cycles.c.id == steps.c.cycle_id)
        .where(cycles.c.repository == place_name(repository))
        .where(offered.c.status == PromotionStatus.ROLLED_BACK.value)
        .group_by(steps.c.dreamer, steps.c.module)
        .subquery()
    )


def _of(repository: Path) -> Select[tuple[object, ...]]:
    table = tables.cycles
    newest_first = (table.c.started_at_us.desc(), table.c.id.desc())
    return select(table).where(table.c.repository == place_name(repository)).order_by(*newest_first)


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
