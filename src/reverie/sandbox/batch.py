"""Many executions at once: one thread drives all slots it can get."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from reverie.errors import SandboxLost
from reverie.model.execution import Execution, Limits, Request
from reverie.model.outcome import IsolationTier
from reverie.sandbox.backends.exchange import Exchange, drive
from reverie.sandbox.backends.slot import Slot
from reverie.sandbox.classify import classify
from reverie.sandbox.encode import conclude, encode
from reverie.sandbox.groups import GROUP_INPUTS, Group, groups_of
from reverie.sandbox.ledger import Ledger
from reverie.sandbox.pool import SlotPool
from reverie.sandbox.profile import Profile

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
