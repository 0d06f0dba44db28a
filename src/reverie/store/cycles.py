"""Cycles in the journal, as they are written: every step in one transaction, or not at all."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, insert, update

from reverie.errors import StoreError
from reverie.model.cycle import (
    CycleDream,
    CycleHeader,
    CycleState,
    Sighting,
    Step,
    StepState,
    Trial,
)
from reverie.model.dream import DreamStatus
from reverie.model.promotion import Promotion
from reverie.model.ruling import Verdict
from reverie.store import cycle_tables as tables
from reverie.store import rows
from reverie.store.clock import to_microseconds
from reverie.store.journal import Journal
from reverie.store.kept_tallies import counted
from reverie.store.pruned import count_executions
from reverie.store.text import storable

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
        now = _now()
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
    ) -> None:
        """Note what a step dreamt up; with nothing left to try, the step is done."""
        pending = any(each.status is DreamStatus.PENDING_TEST for each in dreams)
        step = replace(step, state=StepState.DREAMT if pending else StepState.DONE)
        now = _now()
        with self.journal.writing() as connection:
            self._save_step(connection, step)
            if dreams:
                ids = [each.dream.id for each in dreams]
                told = [rows.dream_row(self.cycle_id, each, now) for each in dreams]
                with counted(connection, self.cycle_id, ids):
                    connection.execute(insert(tables.dreams), told)
            found = {_name(each): each for each in sightings}
            if found:
                told = [self._finding(name, step, each) for name, each in found.items()]
                connection.execute(insert(tables.findings), told)

    def revised(self, each: CycleDream, revised: CycleDream) -> CycleDream:
        """Put another dream in the place of one that was not tried yet."""
        told = rows.dream_row(self.cycle_id, revised, _now())
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
        outcome = rows.TRIALS.row(trial, verdict=verdict.value, needs=needs, ended_at_us=_now())
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
        ended = {"state": state.value, "ended_at_us": _now()}
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
        told = rows.step_row(self.cycle_id, step, _now())
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

    def _finding(self, name: str, step: Step, sighting: Sighting) -> rows.Row:
        place = {"cycle_id": self.cycle_id, "id": name, "position": step.position}
        return rows.SIGHTINGS.row(sighting, **place)


def _name(sighting: Sighting) -> str:
    told = "\0".join((sighting.module, sighting.title, rows.as_json(sighting.details)))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _now() -> int:
    return to_microseconds(datetime.now(UTC))
