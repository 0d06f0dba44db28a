"""Many executions at once: one thread drives all slots it can get.

Many inputs of one piece of code run in one process tree: who answered, who is to blame.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from reverie.errors import SandboxLost
from reverie.model.execution import Call, Execution, Limits, Request
from reverie.model.outcome import IsolationTier
from reverie.sandbox.backends.exchange import Exchange, drive
from reverie.sandbox.backends.slot import Slot
from reverie.sandbox.classify import classify, judge_claim
from reverie.sandbox.encode import conclude, encode
from reverie.sandbox.observation import Ending, Ledger, Observation
from reverie.sandbox.pool import SlotPool
from reverie.sandbox.profile import Profile

GROUP_INPUTS = 64
"""Enough to pay for the group's process, few enough to spread over the slots."""
_GROUP_CHARACTERS = 1 << 20


@dataclass(frozen=True, slots=True)
class Group:
    """Inputs that share one exchange; `indexes` are their places in the caller's list."""

    request: Request
    indexes: tuple[int, ...]
    inputs: tuple[Mapping[str, Any], ...]

    def read(
        self, exchange: Exchange, tier: IsolationTier, started_at: datetime
    ) -> Iterator[tuple[int, tuple[Request, Execution]]]:
        """An execution for every answer, and one for the first input that has none."""
        seen = exchange.seen
        shares = _Shares(seen, len(exchange.claims))
        answered: set[int] = set()
        for claim in exchange.claims:
            place = claim.get("index")
            if type(place) is not int or not 0 <= place < len(self.inputs) or place in answered:
                continue
            answered.add(place)
            request = self._request_for(place)
            ruling = judge_claim(request, claim, seen)
            part = shares.take(claim)
            execution = conclude(request, part, ruling, tier, started_at)
            yield self.indexes[place], (request, execution)
        missing = next((n for n in range(len(self.inputs)) if n not in answered), None)
        if missing is not None:
            yield self.indexes[missing], self._blame(missing, seen, tier, started_at)

    def _request_for(self, place: int) -> Request:
        target = self.request.target
        assert isinstance(target, Call)
        return replace(self.request, target=replace(target, params=self.inputs[place]))

    def _blame(
        self, place: int, seen: Observation, tier: IsolationTier, started_at: datetime
    ) -> tuple[Request, Execution]:
        request = self._request_for(place)
        ending = Ending.SILENT if seen.ending is Ending.ANSWERED else seen.ending
        blamed = replace(seen, ending=ending, claim=None, stdout=b"", stderr=b"")
        ruling = classify(request, blamed)
        return request, conclude(request, blamed, ruling, tier, started_at)


def groups_of(
    request: Request,
    pending: Sequence[int],
    inputs: Sequence[Mapping[str, Any]],
    at_most: int = GROUP_INPUTS,
) -> Iterator[Group]:
    """Cut the pending inputs into groups of bounded count and size."""
    indexes: list[int] = []
    size = 0
    for index in pending:
        weight = len(repr(inputs[index]))
        if indexes and (len(indexes) >= at_most or size + weight > _GROUP_CHARACTERS):
            yield Group(request, tuple(indexes), tuple(inputs[i] for i in indexes))
            indexes, size = [], 0
        indexes.append(index)
        size += weight
    if indexes:
        yield Group(request, tuple(indexes), tuple(inputs[i] for i in indexes))


class _Shares:
    """Each answer's part of what the whole group printed, took and spent."""

    def __init__(self, seen: Observation, answers: int) -> None:
        self.seen = seen
        self.answers = max(1, answers)
        self.printed = [0, 0]

    def take(self, claim: Mapping[str, Any]) -> Observation:
        """Output between the last answer and this one; time and CPU in equal parts."""
        ends = claim.get("position")
        if not (isinstance(ends, list) and [type(end) for end in ends] == [int, int]):
            ends = self.printed
        starts = self.printed
        self.printed = [max(pair) for pair in zip(starts, ends, strict=True)]
        cpu = self.seen.cpu_seconds
        return replace(
            self.seen,
            claim=claim,
            stdout=self.seen.stdout[starts[0] : self.printed[0]],
            stderr=self.seen.stderr[starts[1] : self.printed[1]],
            wall_seconds=self.seen.wall_seconds / self.answers,
            cpu_seconds=None if cpu is None else cpu / self.answers,
        )


_ATTEMPTS = 3


@dataclass(slots=True)
class Job:
    """One exchange to be made, and how often its slot was lost."""

    index: int
    profile: Profile
    body: bytes
    limits: Limits
    answers: int = 1
    ledger: Ledger | None = None
    attempts: int = 0
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))


def run(pool: SlotPool, request: Request, profile: Profile) -> Execution:
    """One execution, by the shortest way; a lost slot is our failure, and it is repeated."""
    job = Job(0, profile, encode(request), request.limits)
    while True:
        exchange = _start(pool.take(profile), job)
        try:
            drive([exchange])
        except BaseException:
            pool.discard(exchange.slot)  # whoever interrupts us must not leave it busy
            raise
        if exchange.failure is None:
            pool.give_back(exchange.slot)
            return _concluded(job, request, exchange)
        pool.discard(exchange.slot)
        _count_loss(job, exchange, exchange.failure)


def run_batch(
    pool: SlotPool, work: Iterable[tuple[Request, Profile]]
) -> Iterator[tuple[Request, Execution]]:
    """Executions in the order of the requests, as many at once as there are slots."""
    asked: dict[int, Request] = {}

    def jobs() -> Iterator[Job]:
        for index, (request, profile) in enumerate(work):
            asked[index] = request
            yield Job(index, profile, encode(request), request.limits)

    for job, exchange in _in_order(_run_jobs(pool, jobs())):
        request = asked.pop(job.index)
        yield request, _concluded(job, request, exchange)


def execute_many(
    pool: SlotPool,
    request: Request,
    profile: Profile,
    inputs: Sequence[Mapping[str, Any]],
    isolated: bool,
) -> Iterator[tuple[Request, Execution]]:
    """One execution per input; an input that ends its group is blamed alone, the rest go on."""
    found: dict[int, tuple[Request, Execution]] = {}
    pending = list(range(len(inputs)))
    cannot_fork = profile.tier is IsolationTier.LANDLOCK
    at_most = 1 if isolated and cannot_fork else GROUP_INPUTS
    isolated = isolated and not cannot_fork
    ledger = Ledger(request.limits.result_bytes)
    while pending:
        groups = list(groups_of(request, pending, inputs, at_most))
        jobs = (
            replace(_group_job(number, profile, group, isolated), ledger=ledger)
            for number, group in enumerate(groups)
        )
        for job, exchange in _run_jobs(pool, jobs):
            group = groups[job.index]
            found.update(group.read(exchange, profile.tier, job.started_at))
        pending = [index for index in pending if index not in found]
    for index in range(len(inputs)):
        yield found[index]


def _concluded(job: Job, request: Request, exchange: Exchange) -> Execution:
    seen = exchange.seen
    return conclude(request, seen, classify(request, seen), job.profile.tier, job.started_at)


def _group_job(number: int, profile: Profile, group: Group, isolated: bool) -> Job:
    inputs = [dict(params) for params in group.inputs]
    body = encode(group.request, kind="many", isolated=isolated, inputs=inputs)
    return Job(number, profile, body, group.request.limits, answers=len(inputs))


def _run_jobs(pool: SlotPool, jobs: Iterator[Job]) -> Iterator[tuple[Job, Exchange]]:
    """Keep slots busy; a job whose slot is lost is our failure and repeated on another one."""
    active: dict[int, tuple[Job, Exchange]] = {}
    queue: list[Job] = []
    try:
        while True:
            while len(active) < pool.capacity and (queue or _refill(queue, jobs)):
                exchange = _begin(pool, queue[-1], wait=not active)
                if exchange is None:
                    break
                active[id(exchange)] = (queue.pop(), exchange)
            if not active:
                return
            over = drive([exchange for _, exchange in active.values()])
            job, exchange = active.pop(id(over))
            if exchange.failure is None:
                pool.give_back(exchange.slot, hurry=bool(queue) or _refill(queue, jobs))
                yield job, exchange
                continue
            pool.discard(exchange.slot)
            exchange.give_back_room()
            _count_loss(job, exchange, exchange.failure)
            queue.append(job)
    finally:
        for _, exchange in active.values():
            pool.discard(exchange.slot)


def _count_loss(job: Job, exchange: Exchange, failure: SandboxLost) -> None:
    """Raise a loss that came too often; one by what ran in the slot before is not counted."""
    if not exchange.was_asked and exchange.slot.executions:
        return
    job.attempts += 1
    if job.attempts >= _ATTEMPTS:
        raise failure


def _refill(queue: list[Job], jobs: Iterator[Job]) -> bool:
    job = next(jobs, None)
    if job is not None:
        queue.append(job)
    return job is not None


def _begin(pool: SlotPool, job: Job, wait: bool) -> Exchange | None:
    """Start a job; without waiting when others of ours are under way, who need driving."""
    slot = pool.take(job.profile) if wait else pool.take_now(job.profile)
    return None if slot is None else _start(slot, job)


def _start(slot: Slot, job: Job) -> Exchange:
    job.started_at = datetime.now(UTC)
    return Exchange(slot, job.body, job.limits, job.answers, job.ledger)


def _in_order(finished: Iterator[tuple[Job, Exchange]]) -> Iterator[tuple[Job, Exchange]]:
    waiting: dict[int, tuple[Job, Exchange]] = {}
    due = 0
    for job, exchange in finished:
        waiting[job.index] = (job, exchange)
        while due in waiting:
            yield waiting.pop(due)
            due += 1
