"""One cycle from its first journal entry to its last, or from wherever it was left.

Its stages run one after another: each stands on what those before it promoted.
"""

import math
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from reverie.cycle.glance import DONE, Tally, Watch
from reverie.cycle.governing import Governor
from reverie.cycle.pairing import Pairing
from reverie.cycle.phases import begun, in_ground, left_over, stages_left, tip_of, with_phase
from reverie.cycle.planning import TAKEN_UP, Means, known_targets
from reverie.cycle.stage_shares import (
    LEAST_SEARCH,
    Share,
    Spent,
    budget_of,
    is_worth_beginning,
    least_seconds,
)
from reverie.cycle.stepping import Known, Stepping
from reverie.cycle.workshop import Surveyed, Workshop
from reverie.errors import MachineryError, OutOfTime, UsageError
from reverie.events.context import about
from reverie.model.codec import pick
from reverie.model.cycle import (
    CycleBudget,
    CycleHeader,
    CycleRecord,
    CycleState,
    CycleWishes,
    Step,
    StepState,
)
from reverie.model.dream import DreamStatus, Stage
from reverie.model.events import EventName, Publish, unheard
from reverie.model.settings.cycle import CycleSection
from reverie.stages.dreamer import Stopped
from reverie.store.cycles.cycles import (
    CycleWriter,
    find_known,
    finished_modules,
    finished_sources,
    load_cycle,
    told_findings,
)
from reverie.store.cycles.findings import load_opinions
from reverie.store.cycles.promotions import offered_paths
from reverie.store.journal import Journal


@dataclass(frozen=True, slots=True)
class Phase:
    """One stage at one revision, with whatever works on it."""

    workshop: Workshop
    workers: int
    governor: Governor | None = None
    pairing: Pairing | None = None


OpenPhase = Callable[[Stage, str | None], AbstractContextManager[Phase]]
"""Lays out a revision for a stage."""


_POLL_SECONDS = 0.2
_MOST_ROUNDS = 8
"""Over what was left for want of time; each but the last does something of it."""
_DOING = {
    Stage.INTEGRATION: "testing what nothing uses",
    Stage.STUBS: "writing what is declared",
    Stage.D: "looking for behaviour that is wrong",
    Stage.A: "writing and proving tests",
    Stage.B: "refactoring and proving",
    Stage.C: "making faster and proving",
}


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
    shares: tuple[Share, ...] = ()
    """What each stage gets of a cycle over several; the workshop is that of the first."""
    open_phase: OpenPhase | None = None
    """Lays out what was promoted so far for a later stage."""
    _began: float = 0.0
    _executions_before: int = 0
    _budget: CycleBudget = field(default_factory=CycleBudget)
    """Of the stage that is under way."""
    _in_ground: frozenset[str] = frozenset()
    """Promotions of this cycle that the workshop's revision has."""

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
        self._budget = record.header.wishes.budget
        tally = Tally(self.watch, lambda: self._seconds_left(record.header.wishes))
        with self._closing(writer), ExitStack() as opened:
            tally.resume(record.dreams, len(record.sightings))
            self._in_ground = in_ground(record)
            stage, *later = stages_left(record, self.shares)
            self._go_through(stage, writer, record, tally)
            with suppress(OutOfTime):  # a stage that there is no time for is none
                for each in later:
                    record = load_cycle(self.journal, writer.cycle_id)
                    if is_worth_beginning(record.header.wishes.budget, self._used(record), each):
                        self._move_on(each, record, opened)
                        self._go_through(each, writer, record, tally)
                self._take_up_again(writer, tally, opened)
            self._close_up(writer, tally)
            if self.governor is not None:
                self.governor.remember(load_cycle(self.journal, writer.cycle_id))
            tally.enter(DONE)
        return load_cycle(self.journal, writer.cycle_id)

    def _take_up_again(self, writer: CycleWriter, tally: Tally, opened: ExitStack) -> None:
        """Go back to what stages had too little time for, while others have left some over."""
        for _ in range(_MOST_ROUNDS):
            record = load_cycle(self.journal, writer.cycle_id)
            stages = [each.stage for each in self.shares if each.stage in left_over(record)]
            before = _done(record)
            for number, each in enumerate(stages):
                record = load_cycle(self.journal, writer.cycle_id)
                if self._has_enough(each, record):
                    self._move_on(each, record, opened)
                    self._go_through(each, writer, record, tally, stages[number:])
            if _done(load_cycle(self.journal, writer.cycle_id)) == before:
                return

    def _has_enough(self, stage: Stage, record: CycleRecord) -> bool:
        """Whether a stage can be begun once more; only the clock leaves anything over."""
        seconds = record.header.wishes.budget.seconds
        is_timed = seconds is not None and seconds - self._spent() >= least_seconds(stage)
        budget, used = record.header.wishes.budget, self._used(record)
        return is_timed and is_worth_beginning(budget, used, stage)

    def _move_on(self, stage: Stage, record: CycleRecord, opened: ExitStack) -> None:
        """Leave the workshop of one stage for that of the next, on what was promoted by then."""
        if self.open_phase is None:
            raise MachineryError("a cycle over several stages needs to know how to open one")
        self._executions_before += self.workshop.executions
        self.workshop.abandon()
        tip = tip_of(record.promotions)
        revision = tip or record.header.revision
        self._in_ground = frozenset(each.dream.id for each in record.promotions if tip is not None)
        phase = opened.enter_context(self.open_phase(stage, revision))
        self.workshop, self.workers = phase.workshop, phase.workers
        self.governor, self.pairing = phase.governor, phase.pairing

    def _go_through(
        self,
        stage: Stage,
        writer: CycleWriter,
        record: CycleRecord,
        tally: Tally,
        again: Collection[Stage] = (),
    ) -> None:
        """One stage: measure, plan, work off. What is planned already is only worked off.

        `again` names this stage and those to come, where it is only for what was left over.
        """
        header, steps = record.header, record.steps
        if self.shares:
            used = self._used(record)
            shares = [each for each in self.shares if not again or each.stage in again]
            self._budget = budget_of(header.wishes.budget, used, shares, stage)
        if again or not _is_planned(record, stage):
            tally.enter("reading and measuring the repository")
            only = left_over(record)[stage] if again else ()
            header, steps = self._plan(writer, record, stage, only)
        tally.enter(_DOING[stage] if self.shares else "improving and proving", steps)
        stepping = self._stepping(writer, header, tally)
        self._work_off(stepping, steps, replace(record, header=header))

    def _used(self, record: CycleRecord) -> Spent:
        executions = self._executions_before + self.workshop.executions
        return Spent(self._spent(), executions, len(record.dreams))

    def _close_up(self, writer: CycleWriter, tally: Tally) -> None:
        """Each promotion was proven by itself; now all of them together."""
        record = load_cycle(self.journal, writer.cycle_id)
        if record.promotions and record.header.result is None:
            tally.enter("measuring all changes together")
            dreams = (each.dream for each in record.promotions)
            new = tuple(dream for dream in dreams if dream.id not in self._in_ground)
            with suppress(OutOfTime):  # each is proven; only the figures of all are not there
                writer.conclude(self.workshop.close_up(record.header, new))

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
        self,
        writer: CycleWriter,
        record: CycleRecord,
        stage: Stage,
        only: Collection[Step] = (),
    ) -> tuple[CycleHeader, tuple[Step, ...]]:
        """The steps of a stage: for all that the survey finds, or only for steps left over."""
        try:
            survey = self.workshop.survey()
        except OutOfTime as error:
            if record.steps:
                raise
            raise UsageError(_never_measured(record.header.wishes.budget)) from error
        phase = with_phase(record, stage, self.workshop.revision) if self.shares else {}
        header = replace(
            record.header,
            baseline={**(record.header.baseline or survey.baseline), **phase},
            executions=self._executions_before + self.workshop.executions,
            seconds=self._spent(),
        )
        if only:
            wanted = {(each.dreamer, each.module) for each in only}
            targets = [each for each in survey.targets if (each.dreamer, each.module) in wanted]
            survey = replace(survey, targets=tuple(targets))
        first = len(record.steps)
        planned = self.plan(survey, header)
        steps = tuple(replace(step, position=first + step.position) for step in planned)
        writer.plan(header, steps)
        planned_now = {(each.dreamer, each.module) for each in steps}
        for each in only:
            if (each.dreamer, each.module) in planned_now:
                writer.end_step(replace(each, note=TAKEN_UP))
        return header, steps

    def plan(self, survey: Surveyed, header: CycleHeader) -> tuple[Step, ...]:
        """What would be done about a survey, in order."""
        is_fresh = header.wishes.is_fresh
        known = {} if is_fresh else self._known(survey, header)
        stage = begun(CycleRecord(header, (), (), ()))[0]
        least = 0.0 if stage is None else LEAST_SEARCH.get(stage, 0.0)
        means = Means(self._budget, self.workers, header.seconds, least_seconds=least)
        complete = (
            {} if is_fresh or self.governor is None else self.governor.complete(survey.targets)
        )
        targets = sorted(survey.targets, key=lambda each: each.module not in self.first)
        return survey.budgets.plan(targets, means, self.section, known, complete)

    def _known(self, survey: Surveyed, header: CycleHeader) -> Mapping[str, str]:
        """Targets that earlier cycles were done with.

        What this one has written tests for counts by all that a dream depends on, tests among it:
        a change of code that was refused for want of them is tried again.
        """
        where = (self.journal, self.repository)
        sources = finished_sources(*where, header.id)
        modules = finished_modules(*where, header.revision, header.id)
        promoted = load_cycle(self.journal, header.id).promotions
        tested = {each.dream.module for each in promoted if each.dream.has_own_tests}
        others = [each for each in survey.targets if each.module not in tested]
        known = known_targets(survey.targets, sources, {})
        return {**known, **known_targets(others, sources, modules)}

    def _stepping(self, writer: CycleWriter, header: CycleHeader, tally: Tally) -> Stepping:
        known: Known = partial(find_known, self.journal, self.repository, header.id)
        return Stepping(
            workshop=self.workshop,
            writer=writer,
            header=header,
            tally=tally,
            known=(lambda *_: None) if header.wishes.is_fresh else known,
            is_stopped=self.stop.is_set,
            seconds_left=lambda: _left(self._budget.seconds, self._spent()),
            governor=self.governor,
            pairing=self.pairing,
            publish=self.publish,
            opinions=load_opinions(self.journal, self.repository),
            offered=self._offered(header),
            told=self._told(header),
        )

    def _told(self, header: CycleHeader) -> frozenset[str]:
        """What a night from the same commit has told already."""
        if header.wishes.is_fresh:
            return frozenset()
        return told_findings(self.journal, self.repository, header.revision, header.id)

    def _offered(self, header: CycleHeader) -> frozenset[str]:
        """Files that are offered already, and not there where the stage stands."""
        if header.wishes.is_fresh:
            return frozenset()
        here = (self.journal, self.repository, header.environment)
        return offered_paths(*here, self._in_ground)

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
        """Of the whole cycle: what a person who waits wants to know."""
        return _left(wishes.budget.seconds, self._spent())


def _left(seconds: float | None, spent: float) -> float | None:
    return None if seconds is None else seconds - spent


def _never_measured(budget: CycleBudget) -> str:
    """Why a cycle ends before it began, and what would help."""
    told = "the budget was spent before the suite had been measured once"
    if budget.seconds is None:
        return f"{told}: give more time with --budget"
    return f"{told}; mend it: reverie run --budget {60 * math.ceil(3 * budget.seconds / 60)}s"


def _done(record: CycleRecord) -> int:
    return sum(step.state is StepState.DONE for step in record.steps)


def _is_planned(record: CycleRecord, stage: Stage) -> bool:
    """Whether the plan for a stage is in the journal."""
    return record.header.baseline is not None and begun(record)[0] is stage


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
