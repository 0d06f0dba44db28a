"""One cycle from its first journal entry to its last, or from wherever it was left."""

import secrets
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from reverie.cycle.glance import DONE, Tally, Watch
from reverie.cycle.governing import Governor
from reverie.cycle.pairing import Pairing
from reverie.cycle.planning import Means, plan_steps
from reverie.cycle.stepping import Known, Stepping
from reverie.cycle.workshop import Surveyed, Workshop
from reverie.errors import OutOfTime
from reverie.events.context import about
from reverie.model.codec import pick
from reverie.model.cycle import (
    CycleHeader,
    CycleRecord,
    CycleState,
    CycleWishes,
    Step,
    StepState,
)
from reverie.model.cycle_sections import CycleSection
from reverie.model.dream import DreamStatus
from reverie.model.published import EventName, Publish, unheard
from reverie.stages.dreamer import Stopped
from reverie.store.cycle_queries import find_known, finished_sources, load_cycle
from reverie.store.cycles import CycleWriter
from reverie.store.journal import Journal
from reverie.store.verdicts import settled_findings

_POLL_SECONDS = 0.2


def new_cycle_id(moment: datetime) -> str:
    """Sorts by time; the rest keeps two of one second apart."""
    return f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


@dataclass(slots=True)
class CycleRun:
    """Runs one cycle of one repository. Whoever runs it holds the repository's lock."""

    journal: Journal
    repository: Path
    workshop: Workshop
    section: CycleSection
    workers: int = 2
    watch: Watch = lambda glance: None
    stop: threading.Event = field(default_factory=threading.Event)
    governor: Governor | None = None
    pairing: Pairing | None = None
    publish: Publish = unheard
    first: tuple[str, ...] = ()
    """Modules that come before all others."""
    spent_before: float = 0.0
    """Seconds of the budget that were gone when it began: a preflight, or the cycle so far."""
    _began: float = 0.0
    _executions_before: int = 0

    def begin(self, wishes: CycleWishes) -> CycleRecord:
        """A new cycle, to its end."""
        now = datetime.now(UTC)
        header = CycleHeader(
            id=new_cycle_id(now),
            repository=str(self.repository.resolve()),
            started_at=now,
            state=CycleState.RUNNING,
            wishes=wishes,
            revision=self.workshop.revision,
            environment=self.workshop.environment,
        )
        writer = CycleWriter(self.journal, header.id)
        writer.begin(header)
        return self._run(writer, CycleRecord(header, (), (), ()))

    def recover(self, record: CycleRecord) -> CycleRecord:
        """What is left of a cycle; finished work is not done again."""
        writer = CycleWriter(self.journal, record.header.id)
        writer.resume()
        self.spent_before = record.header.seconds
        self._executions_before = record.header.executions
        return self._run(writer, record)

    def _run(self, writer: CycleWriter, record: CycleRecord) -> CycleRecord:
        with about(cycle_id=record.header.id):
            self.publish(EventName.CYCLE_STARTED, _begun(record.header))
            return self._run_marked(writer, record)

    def _run_marked(self, writer: CycleWriter, record: CycleRecord) -> CycleRecord:
        self._began = time.monotonic()
        tally = Tally(self.watch, lambda: self._seconds_left(record.header.wishes))
        with self._closing(writer):
            header, steps = record.header, record.steps
            tally.resume(record.dreams, len(record.sightings))
            if header.baseline is None:
                tally.enter("reading and measuring the repository")
                header, steps = self._plan(writer, header)
            tally.enter("improving and proving", steps)
            stepping = self._stepping(writer, header, tally)
            self._work_off(stepping, steps, replace(record, header=header))
            self._close_up(writer, tally)
            if self.governor is not None:
                self.governor.remember(load_cycle(self.journal, writer.cycle_id))
            tally.enter(DONE)
        return load_cycle(self.journal, header.id)

    def _close_up(self, writer: CycleWriter, tally: Tally) -> None:
        """Each promotion was proven by itself; now all of them together."""
        record = load_cycle(self.journal, writer.cycle_id)
        if record.promotions and record.header.result is None:
            tally.enter("measuring all changes together")
            dreams = tuple(each.dream for each in record.promotions)
            with suppress(OutOfTime):  # each is proven; only the figures of all are not there
                writer.conclude(self.workshop.close_up(record.header, dreams))

    @contextmanager
    def _closing(self, writer: CycleWriter) -> Iterator[None]:
        """However it ends, the journal says so."""
        try:
            yield
        except (KeyboardInterrupt, Stopped):
            self.stop.set()
            self._end(writer, CycleState.INTERRUPTED)
        except BaseException as error:
            self.stop.set()
            self._end(writer, CycleState.FAILED, f"{type(error).__name__}: {error}")
            raise
        else:
            self._end(writer, CycleState.FINISHED)

    def _end(self, writer: CycleWriter, state: CycleState, error: str | None = None) -> None:
        self._note_spent(writer)
        writer.end(state, error)
        self.publish(EventName.CYCLE_FINISHED, _ended(load_cycle(self.journal, writer.cycle_id)))

    def _note_spent(self, writer: CycleWriter) -> None:
        writer.spent(self._spent(), self._executions_before + self.workshop.executions)

    def _plan(
        self, writer: CycleWriter, header: CycleHeader
    ) -> tuple[CycleHeader, tuple[Step, ...]]:
        try:
            survey = self.workshop.survey()
        except OutOfTime as error:
            told = "the budget was spent before the suite had been measured once"
            raise OutOfTime(f"{told}: give more time with --budget") from error
        header = replace(
            header,
            baseline=survey.baseline,
            executions=self._executions_before + self.workshop.executions,
            seconds=self._spent(),
        )
        steps = self.plan(survey, header)
        writer.plan(header, steps)
        return header, steps

    def plan(self, survey: Surveyed, header: CycleHeader) -> tuple[Step, ...]:
        """What would be done about a survey, in order."""
        is_fresh = header.wishes.is_fresh
        known = {} if is_fresh else finished_sources(self.journal, self.repository, header.id)
        means = Means(header.wishes.budget, self.workers, header.seconds)
        complete = (
            {} if is_fresh or self.governor is None else self.governor.complete(survey.targets)
        )
        targets = sorted(survey.targets, key=lambda each: each.module not in self.first)
        return plan_steps(targets, means, self.section, known, complete)

    def _stepping(self, writer: CycleWriter, header: CycleHeader, tally: Tally) -> Stepping:
        known: Known = partial(find_known, self.journal, self.repository, header.id)
        return Stepping(
            workshop=self.workshop,
            writer=writer,
            header=header,
            tally=tally,
            known=(lambda *_: None) if header.wishes.is_fresh else known,
            is_stopped=self.stop.is_set,
            seconds_left=lambda: self._seconds_left(header.wishes),
            governor=self.governor,
            pairing=self.pairing,
            publish=self.publish,
            settled=settled_findings(self.journal, self.repository),
        )

    def _work_off(self, stepping: Stepping, steps: tuple[Step, ...], record: CycleRecord) -> None:
        """All open steps on all workers; the first Ctrl-C ends it cleanly."""
        left = [step for step in steps if step.state in (StepState.PLANNED, StepState.DREAMT)]
        with ThreadPoolExecutor(self.workers, thread_name_prefix="reverie-step") as pool:
            futures: list[Future[None]] = []
            try:
                for step in left:
                    dreams = (each for each in record.dreams if each.position == step.position)
                    futures.append(pool.submit(stepping.work_off, step, tuple(dreams)))
                self._wait(futures, stepping.writer)
            except BaseException:
                self.stop.set()
                for future in futures:
                    future.cancel()
                self.workshop.abandon()
                raise
        for future in futures:
            future.result()

    def _wait(self, futures: "list[Future[None]]", writer: CycleWriter) -> None:
        """In short naps: a signal is seen only between them."""
        pending = set(futures)
        noted = self._spent()
        while pending and not self.stop.is_set():
            done, pending = wait(pending, _POLL_SECONDS, FIRST_EXCEPTION)
            for future in done:
                future.result()
            if done or self._spent() - noted > 5:
                noted = self._spent()
                self._note_spent(writer)
        if self.stop.is_set():
            raise Stopped

    def _spent(self) -> float:
        return self.spent_before + time.monotonic() - self._began

    def _seconds_left(self, wishes: CycleWishes) -> float | None:
        seconds = wishes.budget.seconds
        return None if seconds is None else seconds - self._spent()


def _begun(header: CycleHeader) -> dict[str, Any]:
    return pick(header, "wishes.stage wishes.seed revision", is_recovered=header.seconds > 0)


def _ended(record: CycleRecord) -> dict[str, Any]:
    statuses = [each.status for each in record.dreams]
    return pick(
        record.header,
        "state error seconds:3 executions branch",
        dreams=len(statuses),
        promoted=statuses.count(DreamStatus.PROMOTED),
        rejected=statuses.count(DreamStatus.REJECTED),
        findings=len(record.sightings),
    )
