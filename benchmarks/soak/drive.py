"""Put the load on one sandbox: batches and single runs at the same time, in segments."""

import random
import threading
from collections import deque
from collections.abc import Callable, Iterator

from benchmarks.soak.good import make_good
from benchmarks.soak.hostile import make_hostile
from benchmarks.soak.job import Job
from benchmarks.soak.tally import Tally
from reverie.errors import MachineryError
from reverie.model.execution import Call, Execution, Limits, Request
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox

CALLERS = 3
"""Threads that call `run` while the main thread drives batches."""
_SINGLE_SHARE = 0.25
_MANY_SHARE = 0.05
_MANY_CODE = """
import os, signal

def act(number, deed):
    if deed == "leave":
        os._exit(number % 7)
    if deed == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if deed == "spin":
        while True:
            pass
    if deed == "raise":
        raise ValueError(number)
    return number * 7 + 3
"""
_OUTCOMES = {
    None: TestOutcome.SUCCESS,
    "raise": TestOutcome.RUNTIME_ERROR,
    "leave": TestOutcome.UNKNOWN_ERROR,
    "die": TestOutcome.UNKNOWN_ERROR,
    "spin": TestOutcome.TIMEOUT,
}
_GOOD_DEEDS = (None, None, None, "raise")
_HOSTILE_DEEDS = ("leave", "die", "spin")
_GROUP_PENALTY = 5
"""A hostile input ends its group, which is then repeated without it: so fewer of them."""
_MANY_LIMITS = Limits(wall_seconds=3.0)  # between two answers


def run_segment(
    sandbox: Sandbox,
    count: int,
    hostile_share: float,
    chance: random.Random,
    tally: Tally,
    tick: Callable[[int], None],
) -> None:
    """`count` executions through every form of the interface; returns when all are over."""
    can_fork = sandbox.tier == "namespaces"
    singles, many = int(count * _SINGLE_SHARE), int(count * _MANY_SHARE)

    def source(jobs: int) -> Iterator[Job]:
        own = random.Random(chance.random())
        return (_make_job(own, hostile_share, can_fork) for _ in range(jobs))

    shared = _Shared(source(singles))
    callers = [
        threading.Thread(target=_call_run, args=(sandbox, shared, tally, tick), daemon=True)
        for _ in range(CALLERS)
    ]
    for caller in callers:
        caller.start()
    _run_batch(sandbox, source(count - singles - many), tally, tick)
    _execute_many(sandbox, many, hostile_share, chance, tally)
    tick(many)
    for caller in callers:
        caller.join()


def _make_job(chance: random.Random, hostile_share: float, can_fork: bool) -> Job:
    make = make_hostile if chance.random() < hostile_share else make_good
    return make(chance, can_fork)


class _Shared:
    """An iterator that several threads may pull from."""

    def __init__(self, jobs: Iterator[Job]) -> None:
        self._jobs = jobs
        self._lock = threading.Lock()

    def take(self) -> Job | None:
        with self._lock:
            return next(self._jobs, None)


def _call_run(sandbox: Sandbox, shared: _Shared, tally: Tally, tick: Callable[[int], None]) -> None:
    while (job := shared.take()) is not None:
        try:
            tally.add(job, sandbox.run(job.request))
        except MachineryError as error:
            tally.failed(f"run raised for {job.kind!r}: {error}")
        tick(1)


def _run_batch(
    sandbox: Sandbox, jobs: Iterator[Job], tally: Tally, tick: Callable[[int], None]
) -> None:
    """One batch, made as it is needed; begun anew after an error, which is a failure."""
    under_way: deque[Job] = deque()

    def requests() -> Iterator[Request]:
        for job in jobs:
            under_way.append(job)
            yield job.request

    while True:
        try:
            for execution in sandbox.run_batch(requests()):
                tally.add(under_way.popleft(), execution)
                tick(1)
        except MachineryError as error:
            kinds = [job.kind for job in under_way]
            tally.failed(f"run_batch raised with {kinds} under way: {error}")
            tick(len(under_way))
            under_way.clear()
            continue
        return


def _execute_many(
    sandbox: Sandbox, count: int, hostile_share: float, chance: random.Random, tally: Tally
) -> None:
    """Isolated or in groups, by chance; a hostile input may only harm itself."""
    isolated = chance.random() < 0.5
    jobs = [_make_input(chance, hostile_share / _GROUP_PENALTY, isolated) for _ in range(count)]
    inputs = [job.request.target.params for job in jobs if isinstance(job.request.target, Call)]
    try:
        executions = sandbox.execute_many(
            _MANY_CODE, "act", inputs, isolated=isolated, limits=_MANY_LIMITS
        )
    except MachineryError as error:
        tally.failed(f"execute_many raised: {error}")
        return
    for job, execution in zip(jobs, executions, strict=True):
        tally.add(job, execution)


def _make_input(chance: random.Random, hostile_share: float, isolated: bool) -> Job:
    is_hostile = chance.random() < hostile_share
    deeds = (_HOSTILE_DEEDS if isolated else _HOSTILE_DEEDS[:2]) if is_hostile else _GOOD_DEEDS
    deed = chance.choice(deeds)
    number = chance.randrange(1 << 30)
    expected = number * 7 + 3 if deed is None else None

    def objection(execution: Execution) -> str | None:
        if execution.outcome is _OUTCOMES[deed] and execution.output == expected:
            return None
        return f"{deed}, isolated={isolated}: {execution.outcome} {execution.output!r:.100}"

    target = Call(_MANY_CODE, "act", {"number": number, "deed": deed})
    return Job("execute_many", is_hostile, Request(target), objection)
