"""One step of a plan: dream, try, rule, promote, each journaled before the next begins."""

import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from reverie.cycle.glance import Tally
from reverie.cycle.governing import Governor
from reverie.cycle.pairing import Choice, Pairing
from reverie.cycle.planning import CUT_SHORT, DREAMING_SHARE, IF_TIME, TIME_WAS_UP
from reverie.cycle.workshop import Workshop
from reverie.errors import MachineryError, OutOfTime, StoreError
from reverie.events.context import about
from reverie.model.codec import pick, plain
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    Sighting,
    Step,
    StepState,
    Trial,
)
from reverie.model.dream import Dream, DreamStatus
from reverie.model.events import EventName, Publish, unheard
from reverie.model.foresight import Decision, DeploymentVerdict
from reverie.model.repository.environment import SETTLED, Opinion, opinion_on
from reverie.model.ruling import Answer, Verdict
from reverie.stages.dreamer import Allowance, Dreamt, Stopped
from reverie.stages.test_health import flaky_in
from reverie.store.cycles.cycles import CycleWriter, load_cycle
from reverie.store.cycles.measures import record_decision
from reverie.store.cycles.promotions import made_paths
from reverie.store.cycles.worth import record_interactions

ATTEMPTS = 3
"""Of a step in which our side failed."""
# CPython 3.11 raises the second now and then when two threads parse at once.
WORTH_REPEATING = (MachineryError, SystemError)
NOTE_CHARACTERS = 500
_SEARCHES = {"tests": "writing tests for"}
_SEARCH = "looking for improvements in"
Known = Callable[[str, str], CycleDream | None]
"""Asked by id and source: the dream as another cycle decided on it."""


@dataclass(slots=True)
class Stepping:
    """Works off steps, several threads at once; promotions come one after another."""

    workshop: Workshop
    writer: CycleWriter
    header: CycleHeader
    tally: Tally
    known: Known
    is_stopped: Callable[[], bool]
    seconds_left: Callable[[], float | None]
    governor: Governor | None = None
    """Rules on what passed; None: proof is enough."""
    pairing: Pairing | None = None
    """Looks at what dreams do together; None: each is taken by itself."""
    publish: Publish = unheard
    opinions: Mapping[str, Opinion] = field(default_factory=dict)
    """What people said of findings and of functions: what is settled is not told again."""
    told: frozenset[str] = frozenset()
    """Findings that earlier cycles told of the same commit, by signature and by behaviour."""
    offered: frozenset[str] = frozenset()
    """Files that open promotions of the same sources would make."""
    _promoting: threading.Lock = field(default_factory=threading.Lock)
    _promoted: list[CycleDream] = field(default_factory=list)
    _longest_seconds: float = 0.0
    """Of the trials so far: what a further one is expected to take."""

    def is_late(self) -> bool:
        """Whether the time is up."""
        left = self.seconds_left()
        return left is not None and left <= 0

    def _has_room(self) -> bool:
        """Whether one more trial fits into what is left."""
        left = self.seconds_left()
        return left is None or left > self._longest_seconds

    def _may_begin(self, step: Step) -> bool:
        """Whether a step fits; one that is only for time left over, with half of its own."""
        left, least = self.seconds_left(), (step.allowance.seconds or 0.0) / 2
        is_short = step.note == IF_TIME and left is not None and left < least
        return self._has_room() and not is_short

    def work_off(self, step: Step, dreams: tuple[CycleDream, ...]) -> None:
        """Do what is left of a step. What goes wrong on our side ends the step, not the cycle."""
        with about(cycle_id=self.header.id):
            self._work_off(step, dreams)

    def _work_off(self, step: Step, dreams: tuple[CycleDream, ...]) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._go_on(step, dreams)
                return
            except (Stopped, StoreError):
                raise
            except OutOfTime:
                self._cut_short(step)
                return
            except Exception as error:
                if self.is_stopped():
                    raise Stopped from error
                step, dreams = self._as_journaled(step)
                if attempt == ATTEMPTS or not isinstance(error, WORTH_REPEATING):
                    self._fail(step, traceback.format_exc())
                    return
            finally:
                self.tally.doing(None)

    def _go_on(self, step: Step, dreams: tuple[CycleDream, ...]) -> None:
        if step.state is StepState.PLANNED:
            if self.is_stopped():
                raise Stopped
            if not self._may_begin(step):
                skipped = replace(step, state=StepState.SKIPPED, note=TIME_WAS_UP)
                self.writer.end_step(skipped)
                self.tally.skip()
                return
            step, dreams = self._dream(step)
        tried = tuple(self._in_turn(dreams))
        for each in self._chosen(tried):
            self._marked(self._promote, each)
        if step.state is not StepState.DONE:
            self.writer.end_step(replace(step, state=StepState.DONE))
        self.tally.ended()

    def _in_turn(self, dreams: tuple[CycleDream, ...]) -> Iterator[CycleDream]:
        """Each after its trial; what does not fit any more waits, all but the first."""
        for number, each in enumerate(dreams):
            if number and each.status is DreamStatus.PENDING_TEST and not self._has_room():
                yield self.writer.put_aside(each, DreamStatus.ARCHIVED)
            else:
                yield self._marked(self._try, each)

    def _dream(self, step: Step) -> tuple[Step, tuple[CycleDream, ...]]:
        self.tally.doing(f"{_SEARCHES.get(step.dreamer, _SEARCH)} {step.module}")
        began = time.monotonic()
        allowance = Allowance(self._allowed(step), self.is_stopped, self.header.wishes.seed)
        dreamt = self.workshop.dream(step, allowance)
        if self.is_stopped():
            raise Stopped
        dreams = self._sorted_out(step, dreamt)
        step = replace(
            step,
            seconds=step.seconds + time.monotonic() - began,
            executions=step.executions + dreamt.executions,
            figures=dreamt.figures,
            note=dreamt.note,
        )
        self.tally.saw(self.writer.dreamt(step, dreams, self._untold(dreamt.sightings)))
        is_open = any(each.status is DreamStatus.PENDING_TEST for each in dreams)
        return replace(step, state=StepState.DREAMT if is_open else StepState.DONE), dreams

    def _untold(self, seen: Iterable[Sighting]) -> tuple[Sighting, ...]:
        """Without what people have settled, and what an earlier cycle told of the same commit."""
        return tuple(
            each
            for each in seen
            if opinion_on(each.names, self.opinions) not in SETTLED
            and not self.told & {each.signature, each.behaviour}
        )

    def _allowed(self, step: Step) -> CycleBudget:
        """What was planned, or half of what is left where that is less: a trial comes after it."""
        left, planned = self.seconds_left(), step.allowance.seconds
        if left is None or planned is None:
            return step.allowance
        return replace(step.allowance, seconds=min(planned, max(DREAMING_SHARE * left, 1.0)))

    def _cut_short(self, step: Step) -> None:
        """The time was over in the middle of it: nothing was decided, another night begins anew."""
        step, dreams = self._as_journaled(step)
        for each in dreams:
            if each.status is DreamStatus.PENDING_TEST:
                self.writer.put_aside(each, DreamStatus.ARCHIVED)
        self.writer.end_step(replace(step, state=StepState.SKIPPED, note=CUT_SHORT))
        self.tally.skip()

    def _sorted_out(self, step: Step, dreamt: Dreamt) -> tuple[CycleDream, ...]:
        """The dreams, each once: those known on this source are not tried again."""
        most = step.allowance.dreams
        unique = {dream.id: dream for dream in dreamt.dreams}
        return tuple(
            self._placed(step, dream, most is None or number < most)
            for number, dream in enumerate(unique.values())
        )

    def _placed(self, step: Step, dream: Dream, is_affordable: bool) -> CycleDream:
        before = self.known(dream.id, step.source_hash)
        if before is not None:
            return replace(before, position=step.position, trial=None, promotion=None)
        is_wanted = is_affordable and not self._is_offered(dream)
        status = DreamStatus.PENDING_TEST if is_wanted else DreamStatus.ARCHIVED
        return CycleDream(dream, step.position, step.source_hash, status)

    def _is_offered(self, dream: Dream) -> bool:
        """Whether a file that it would make is offered already: nobody merges the same twice."""
        made = made_paths(dream.change)
        return bool(made & self.offered) or any(
            made & made_paths(each.dream.change) for each in self._promoted
        )

    def _marked(self, do: Callable[[CycleDream], CycleDream], each: CycleDream) -> CycleDream:
        """Do something about a dream; what is logged and published meanwhile bears its id."""
        with about(dream_id=each.dream.id):
            return do(each)

    def _try(self, each: CycleDream) -> CycleDream:
        """The dream as it stands after its trial; one that was tried is as it was."""
        if each.status is not DreamStatus.PENDING_TEST:
            return each
        self.tally.doing(f"proving a change ({each.dream.kind}) of {each.dream.module}")
        tried = self.workshop.prove(each.dream, self.header.wishes.seed, self.is_stopped)
        trial = tried.trial
        self._longest_seconds = max(self._longest_seconds, trial.seconds)
        if self.is_stopped() and trial.judgement.verdict is not Verdict.PROMOTE:
            raise Stopped  # what was cut short is no verdict
        if tried.dream.id != each.dream.id:
            each = self._revised(each, tried.dream)
            if each.status is not DreamStatus.PENDING_TEST:
                return each
        if self.governor is not None:
            trial = self.governor.rule(each.dream, trial)
        each = self.writer.tried(each, trial)
        if flaky := self._untold(flaky_in(trial.evidence)):
            self.tally.saw(self.writer.saw(each.position, flaky))
        if each.status is not DreamStatus.TESTED or _is_owed(each):
            self._decided(each)
        return each

    def _revised(self, each: CycleDream, dream: Dream) -> CycleDream:
        """What is left of a dream in its place; as an earlier cycle decided, if one did."""
        known = self.known(dream.id, each.source_hash)
        if known is None:
            revised = replace(each, dream=dream)
        else:
            revised = replace(known, position=each.position, trial=None, promotion=None)
        return self.writer.revised(each, revised)

    def _decided(self, each: CycleDream) -> None:
        """Count a dream that is over, or waits for people, and tell of it."""
        self.tally.decided(each)
        is_rejected = each.status is DreamStatus.REJECTED
        name = EventName.DREAM_REJECTED if is_rejected else EventName.DREAM_HELD
        self.publish(name, {"dream_id": each.dream.id, **_told(each)})

    def _chosen(self, tried: tuple[CycleDream, ...]) -> tuple[CycleDream, ...]:
        """The dreams to promote: the best that go together, the others are put aside."""
        proven = tuple(each for each in tried if each.status is DreamStatus.TESTED)
        is_chosen = any(each.promotion is not None for each in tried)  # before a recovery
        if self.pairing is not None and not is_chosen and len(proven) > 1:
            self.tally.doing(f"proving {len(proven)} changes of {proven[0].dream.module} together")
            choice = self._choice(self.pairing, proven)
            reasons = dict(choice.apart)
            for each in proven:
                if each.dream.id in reasons:
                    self._put_aside(each, reasons[each.dream.id])
            proven = tuple(each for each in proven if each.dream.id not in reasons)
            if choice.joined is not None:
                proven = self._joined(proven, *choice.joined)
        return tuple(each for each in proven if not _is_owed(each))

    def _choice(self, pairing: Pairing, proven: tuple[CycleDream, ...]) -> Choice:
        """Which of them are promoted together, and why the others are not."""
        try:
            choice = pairing.choose(proven, self.is_late)
        except OutOfTime:
            reason = "kept apart: there was no time to try it together with the others"
            apart = tuple((each.dream.id, reason) for each in proven[1:])
            return Choice((proven[0].dream.id,), apart)
        record_interactions(self.writer.journal, self.writer.cycle_id, choice.interactions)
        return choice

    def _joined(
        self, proven: tuple[CycleDream, ...], dream: Dream, trial: Trial
    ) -> tuple[CycleDream, ...]:
        """The one change that several are together; they themselves are part of it."""
        if self.governor is not None:
            trial = self.governor.rule(dream, trial)
        if trial.judgement.verdict is not Verdict.PROMOTE or trial.judgement.needs:
            return proven
        whole = replace(
            proven[0], dream=dream, status=DreamStatus.PENDING_TEST, trial=None, known_from=None
        )
        whole = self.writer.tried(self.writer.added(whole), trial)
        for each in proven:
            self.writer.put_aside(each, DreamStatus.ARCHIVED)
        return (whole,)

    def _promote(self, each: CycleDream) -> CycleDream:
        self.tally.doing(f"committing a change ({each.dream.kind}) of {each.dream.module}")
        with self._promoting:
            if self.pairing is not None and not self.pairing.goes_with(each, self._promoted):
                self._put_aside(each, "kept apart: it fails on top of what was promoted around it")
                return each
            self._require_branch()
            promotion = self.workshop.promote(each, self.header)
            each = self.writer.promoted(each, promotion)
            self._promoted.append(each)
            self.tally.decided(each)
            return each

    def _put_aside(self, each: CycleDream, reason: str) -> None:
        """A dream that passed by itself and does not go with others: for people to choose."""
        decision = Decision(DeploymentVerdict.HOLD, (reason,))
        record_decision(self.writer.journal, each.dream.id, plain(decision))
        self._decided(self.writer.put_aside(each, DreamStatus.BORDERLINE))

    def _require_branch(self) -> None:
        """Journaled before anything is on it: a recovery goes on with the same one."""
        if self.header.branch is None:
            branch = self.workshop.choose_branch(datetime.now(UTC).date())
            if branch is not None:
                self.writer.choose_branch(branch)
                self.header = replace(self.header, branch=branch)

    def _as_journaled(self, step: Step) -> tuple[Step, tuple[CycleDream, ...]]:
        """How far a step has come: what is done is not done again."""
        record = load_cycle(self.writer.journal, self.writer.cycle_id)
        (step,) = (each for each in record.steps if each.position == step.position)
        return step, tuple(each for each in record.dreams if each.position == step.position)

    def _fail(self, step: Step, report: str) -> None:
        note = report.strip().splitlines()[-1][:NOTE_CHARACTERS]
        failed = replace(step, state=StepState.FAILED, error=report, note=note)
        self.writer.end_step(failed)
        self.publish(EventName.STEP_FAILED, {"module": step.module, "error": note})
        self.tally.ended()


def _is_owed(each: CycleDream) -> bool:
    """Whether people have to say something first: it stays tested until `reverie promote`."""
    return each.trial is not None and bool(each.trial.judgement.needs)


def _told(each: CycleDream) -> dict[str, Any]:
    rulings = () if each.trial is None else each.trial.judgement.rulings
    return pick(
        each,
        "dream.kind dream.module dream.title status",
        reasons=[ruling.reason for ruling in rulings if ruling.verdict is not Answer.PASS],
        needs=[] if each.trial is None else plain(each.trial.judgement.needs),
    )
