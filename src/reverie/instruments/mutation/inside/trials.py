"""Many small checks of one module, as a program of trials: what each holds, runs and costs.

The program defines `TRIALS`: functions that run a few lines of the target and tell, by its number,
each check that held. A check that was begun and did not hold has noticed something.
"""

import asyncio
import inspect
import random
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from .board import Board
from .recorder import Recorder

_LEAST_SECONDS = 0.1
_TIMES_AS_LONG = 20.0
_BASELINE_SECONDS = 1.0
_DEAR_SECONDS = 0.002
_WALL_TIMES = 5.0


class OutOfTime(BaseException):
    """A trial has spent far more than it did on unchanged code."""


class Trials:
    """The trials of one program: what holds on unchanged code, and the running of some of them."""

    def __init__(self, request: "dict[str, Any]", path: str, files: "frozenset[str]") -> None:
        self._path = path
        self._files = files
        self._repeats: int = request["repeats"]
        self._enough: int = request["enough"]
        self._program = compile(request["program"], "<trials>", "exec", dont_inherit=True)
        self.checks: list[list[int]] = request["trials"]
        """By trial: the numbers of its checks."""
        self.board = Board(1 + max((check for ids in self.checks for check in ids), default=0))
        self.steady: set[int] = set()
        self.costs: list[float] = []
        self.lines: list[set[int]] = []
        self.arcs: list[list[list[int]]] = []
        self._kills = [0] * len(self.checks)
        self._trial_of = {check: at for at, ids in enumerate(self.checks) for check in ids}
        signal.signal(signal.SIGVTALRM, _out_of_time)
        signal.signal(signal.SIGALRM, _out_of_time)

    def load(self) -> None:
        """Run the program, which imports the target."""
        namespace: dict[str, Any] = {"__name__": "trials"}
        exec(self._program, namespace)  # noqa: S102  inside the sandbox, this is the job
        self._functions: list[Callable[..., Any]] = namespace["TRIALS"]

    def learn(self, found: "dict[str, Any]") -> None:
        """What another process has observed."""
        self.steady = set(found["steady"])
        self.lines = [set(each) for each in found["lines"]]
        self.arcs = found["arcs"]
        self.costs = found["costs"]

    def observe(self) -> "dict[str, Any]":
        """What holds each time, what each trial costs, which lines it runs and steps it takes."""
        recorder = Recorder(self._files)
        steady = set(range(self.board.checks))
        lines: list[list[int]] = []
        arcs: list[list[tuple[int, int]]] = []
        for trial in range(len(self.checks)):
            recorder.start()
            self._try(trial, _BASELINE_SECONDS)
            recorder.stop()
            ran, steps = recorder.take()
            lines.append(sorted({line for each in ran.values() for line in each}))
            arcs.append(sorted(steps.get(self._path, ())))
        steady &= self.board.held()
        self.board.clear()
        costs = [self._timed(trial) for trial in range(len(self.checks))]
        steady &= self.board.held()
        for _ in range(self._repeats):
            self._repeat(steady, costs)
        return {"steady": sorted(steady), "lines": lines, "arcs": arcs, "costs": costs}

    def _repeat(self, steady: "set[int]", costs: "list[float]") -> None:
        """Once more with other chances; what is dear was seen often enough."""
        self.board.clear()
        random.seed()
        for trial, cost in enumerate(costs):
            if cost > _DEAR_SECONDS:
                continue
            self._try(trial, _BASELINE_SECONDS)
            steady -= set(self.checks[trial]) - self.board.held_of(self.checks[trial])

    def _timed(self, trial: int) -> float:
        began = time.process_time()
        self._try(trial, _BASELINE_SECONDS)
        return time.process_time() - began

    def reaching(self, lines: range) -> "list[int]":
        """The trials that run any of these lines of the module."""
        return [trial for trial, ran in enumerate(self.lines) if not ran.isdisjoint(lines)]

    def run(self, trials: "Sequence[int]") -> None:
        """Trials that noticed most so far come first; enough of them are enough."""
        noticed = 0
        for trial in sorted(trials, key=lambda trial: -self._kills[trial]):
            ids = [check for check in self.checks[trial] if check in self.steady]
            if not ids:
                continue
            self.board.begin(ids)
            if not self._try(trial, _LEAST_SECONDS + _TIMES_AS_LONG * self.costs[trial]):
                return
            noticed += self.board.is_broken(ids)
            if noticed >= self._enough:
                return

    def run_all(self) -> None:
        """Every trial."""
        self.run(range(len(self.checks)))

    def break_all(self) -> None:
        """The module is not to be had any more: every check notices."""
        for ids in self.checks:
            self.board.begin(ids)

    def broken(self) -> "list[int]":
        """The checks that have noticed something since the board was cleared; they come first."""
        found = [check for check in self.board.broken() if check in self.steady]
        for trial in {self._trial_of[check] for check in found}:
            self._kills[trial] += 1
        return found

    def _try(self, trial: int, seconds: float) -> bool:
        """Run one trial; no when it did not end in time."""
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            signal.setitimer(signal.ITIMER_REAL, 1.0 + _WALL_TIMES * seconds)
            made = self._functions[trial](self.board.hold)
            if inspect.iscoroutine(made):
                asyncio.run(made)
        except OutOfTime:
            return False
        except BaseException:  # noqa: BLE001  what did not hold is on the board
            return True
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        return True


def _out_of_time(number: int, frame: Any) -> None:
    raise OutOfTime
