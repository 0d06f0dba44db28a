"""Executions per second: ours in every form, and the forks that the machine can do at most.

All take turns, several rounds, so that whoever else uses the machine slows each of them. CPU
time per execution is measured beside wall time: it says what two idle cores would do.
"""

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.machine import tree_cpu_seconds
from benchmarks.sandbox.floor import FloorProcess
from benchmarks.sandbox.payload import CODE, ENTRY, check, make_params
from reverie.model.execution import Call, Execution, Request
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox

STREAM = "run, one after the other, journaling on"
BATCH = "run_batch, journaling off"
BATCH_JOURNALED = "run_batch, journaling on"
BATCH_CROWDED = "run_batch, journaling off, twice the slots"
BATCH_CROWDED_JOURNALED = "run_batch, journaling on, twice the slots"
MANY_ISOLATED = "execute_many, a fork per input"
MANY_GROUPED = "execute_many, a process per group"
FLOOR_SINGLE = "floor: fork + exit + wait, one process"
FLOOR_PARALLEL = "floor: the same, one process per core"


@dataclass(slots=True)
class Rate:
    """What one row did over all rounds."""

    per_second: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)

    def add(self, count: int, wall_seconds: float, cpu_seconds: float) -> None:
        """One round."""
        self.per_second.append(count / wall_seconds)
        self.cpu_ms.append(cpu_seconds * 1000 / count)


Turn = Callable[[], tuple[int, float, float]]
"""One round of a row: executions, wall seconds, CPU seconds."""


@contextmanager
def open_rows(section: SandboxSection, batch: int, many: int) -> Iterator[dict[str, Turn]]:
    """The rows, ready to take turns."""
    with ExitStack() as stack:
        plain = stack.enter_context(Sandbox(section))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-"))
        journaled, flush = stack.enter_context(_journaled(section, Path(folder, "one.db")))
        more = replace(section, slots=2 * section.slots)
        crowded = stack.enter_context(Sandbox(more))
        both, flush_both = stack.enter_context(_journaled(more, Path(folder, "two.db")))
        for sandbox in (plain, journaled, crowded, both):
            sandbox.warm()
        floors = [stack.enter_context(FloorProcess()) for _ in range(section.slots)]
        yield {
            STREAM: lambda: _run_stream(journaled, batch, flush),
            BATCH: lambda: _run_batch(plain, batch, _nothing),
            BATCH_JOURNALED: lambda: _run_batch(journaled, batch, flush),
            BATCH_CROWDED: lambda: _run_batch(crowded, batch, _nothing),
            BATCH_CROWDED_JOURNALED: lambda: _run_batch(both, batch, flush_both),
            MANY_ISOLATED: lambda: _execute_many(plain, many, isolated=True),
            MANY_GROUPED: lambda: _execute_many(plain, many, isolated=False),
            FLOOR_SINGLE: lambda: _forks(floors[:1], batch),
            FLOOR_PARALLEL: lambda: _forks(floors, batch),
        }


@contextmanager
def _journaled(section: SandboxSection, file: Path) -> Iterator[tuple[Sandbox, Callable[[], None]]]:
    from reverie.store.journal import Journal
    from reverie.store.recorder import ExecutionRecorder

    with (
        Journal.open(f"sqlite:///{file}") as journal,
        ExecutionRecorder(journal) as recorder,
        Sandbox(section, recorder) as sandbox,
    ):
        yield sandbox, recorder.flush


def _nothing() -> None:
    return


def _run_batch(sandbox: Sandbox, count: int, flush: Callable[[], None]) -> tuple[int, float, float]:
    chance = random.Random()
    inputs = [make_params(chance) for _ in range(count)]
    requests = [Request(Call(CODE, ENTRY, params)) for params in inputs]

    def run() -> list[Execution]:
        found = list(sandbox.run_batch(requests))
        flush()
        return found

    return _timed(run, inputs)


def _run_stream(
    sandbox: Sandbox, count: int, flush: Callable[[], None]
) -> tuple[int, float, float]:
    chance = random.Random()
    inputs = [make_params(chance) for _ in range(count)]
    requests = [Request(Call(CODE, ENTRY, params)) for params in inputs]

    def run() -> list[Execution]:
        found = [sandbox.run(request) for request in requests]
        flush()
        return found

    return _timed(run, inputs)


def _execute_many(sandbox: Sandbox, count: int, isolated: bool) -> tuple[int, float, float]:
    chance = random.Random()
    inputs = [make_params(chance) for _ in range(count)]
    return _timed(lambda: sandbox.execute_many(CODE, ENTRY, inputs, isolated=isolated), inputs)


def _timed(
    run: Callable[[], list[Execution]], inputs: list[dict[str, Any]]
) -> tuple[int, float, float]:
    cpu, started = tree_cpu_seconds(os.getpid()), time.perf_counter()
    executions = run()
    wall = time.perf_counter() - started
    cpu = tree_cpu_seconds(os.getpid()) - cpu
    for params, execution in zip(inputs, executions, strict=True):
        check(execution.outcome, params, execution.output)
    return len(inputs), wall, cpu


def _forks(floors: list[FloorProcess], count: int) -> tuple[int, float, float]:
    """The same number of forks as executions, shared by the processes."""
    share = count // len(floors)
    started = time.perf_counter()
    for floor in floors:
        floor.begin(share)
    timings = [floor.finish() for floor in floors]
    wall = time.perf_counter() - started
    return share * len(floors), wall, sum(timing.cpu_seconds for timing in timings)
