"""The kill matrix: which of many small checks notice which mutant.

Each mutant is made in a fork, which runs all checks that reach it.

Checks of one module are a program of trials. It defines `TRIALS`: functions that run a few lines of
the target and tell, by its number, each check that held. A check that was begun and did not hold
has noticed something. What became of every check is in memory that a parent and its forks share.

The process that forks never runs a trial itself: what the target remembers of one would hide a
mutant from the next.
"""

import asyncio
import gc
import hashlib
import importlib
import inspect
import json
import mmap
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from .changes import Changes, Invalid, Same
from .children import RUNNING, SURVIVED, Litter, Statement, act_and_end, fork_child, watch
from .loading import CannotSwap, Statements, TargetFinder, forget_modules, is_same
from .recorder import Recorder
from .sites import Site

_HELD, _BROKEN = 1, 2


class Board:
    """A byte for every check, shared by a parent and its child."""

    def __init__(self, checks: int) -> None:
        self._memory = mmap.mmap(-1, checks + 1)
        self.checks = checks

    def clear(self) -> None:
        """Nothing was run."""
        self._memory[: self.checks] = bytes(self.checks)

    def begin(self, checks: "Sequence[int]") -> None:
        """These count as broken until they hold."""
        for check in checks:
            self._memory[check] = _BROKEN

    def hold(self, check: int) -> None:
        """A check held."""
        self._memory[check] = _HELD

    def is_broken(self, checks: "Sequence[int]") -> bool:
        """Whether any of these did not hold."""
        return any(self._memory[check] == _BROKEN for check in checks)

    def broken(self) -> "list[int]":
        """The checks that were begun and did not hold."""
        return [check for check in range(self.checks) if self._memory[check] == _BROKEN]

    def held_of(self, checks: "Sequence[int]") -> "set[int]":
        """Those of these checks that held."""
        return {check for check in checks if self._memory[check] == _HELD}

    def held(self) -> "set[int]":
        """The checks that held."""
        return {check for check in range(self.checks) if self._memory[check] == _HELD}


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


_NOTHING: "dict[str, Any]" = {"steady": [], "lines": [], "arcs": [], "costs": []}
_WORDS: "dict[type[Exception], str]" = {Same: "equivalent", Invalid: "invalid", CannotSwap: "unfit"}


class Matrix:
    """One module, one program of trials, a share of the module's mutants."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.request = request
        self.root: str = request["root"]
        self.path = os.path.join(self.root, request["files"][0])
        self.finder = TargetFinder(frozenset((self.path,)))
        self.changes = Changes(self.finder, exhaustive=False, shortcuts=True)
        self.statement = Statement()
        self.began = time.monotonic()
        self.results: list[list[Any]] = []
        self.litter = Litter(request["private"])
        self.is_child = False
        self._pipe: int | None = None

    def answer(self) -> "dict[str, Any]":
        """Baseline, then mutant after mutant while there is time."""
        os.chdir(self.root)
        sys.path[:0] = [path for path in self.request["paths"] if path not in sys.path]
        forget_modules(frozenset(self.request["packages"]))
        self.finder.come_first()
        self.trials = Trials(self.request, self.path, self.finder.files)
        sites = self._share()
        self.finder.before_execution = self._at_import
        self.import_sites = [site for site in sites if site[1].unit is None]
        self._import_share = 0.1 + 0.8 * len(self.import_sites) / max(1, len(sites))
        self._import()
        self._take_baseline()
        self.changes.look_around()
        gc.collect()
        gc.freeze()
        for number, site in sites:
            if self._is_late():
                break
            if site.unit is not None:
                self._judge_call(number, site)
        return {
            "sites": len(self.changes.survey(self.path).sites),
            "steady": sorted(self.trials.steady),
            "arcs": self.trials.arcs,
            "costs": self.trials.costs,
            "results": self.results,
        }

    def _import(self) -> None:
        """Import the module; a fork made on the way goes no further than this."""
        try:
            importlib.import_module(self.request["module"])
            self.trials.load()
        except BaseException:
            if not self.is_child:
                raise
            act_and_end(self._break_all)
        if self.is_child:
            act_and_end(self._run_all)

    def _is_late(self, share: float = 1.0) -> bool:
        seconds = self.request["seconds"]
        return seconds is not None and time.monotonic() - self.began > share * seconds

    def _share(self) -> "list[tuple[int, Site]]":
        """The mutants of this process, in an order that spreads them over the file."""
        number, of = self.request["share"]
        only = self.request["only"]
        sites = enumerate(self.changes.survey(self.path).sites)
        found = [each for each in sites if only is None or each[0] in only]
        found.sort(key=lambda each: hashlib.sha256(b"%d" % each[0]).digest())
        return found[: self.request["most"]][number::of]

    # -- mutants of what an import runs ---------------------------------------------------

    def _at_import(self, path: str) -> None:
        if self.is_child or path != self.path or path in self.finder.loaded:
            return
        if not self._scout():
            return
        statements = Statements(self.changes.survey(path).tree, path)
        statements.prepare()
        for number, site in self.import_sites:
            if self._is_late(self._import_share):
                return
            self.trials.board.clear()
            self.statement.write(RUNNING)
            child = fork_child()
            if child == 0:
                self.is_child = True
                self._change_module(site, statements)
                return
            watch(child, self.statement, self._cost)
            self._conclude(number, site)

    def _scout(self) -> bool:
        """Learn in a fork what holds on unchanged code and what it costs; no in that fork."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            self.is_child = True
            os.close(reading)
            self._pipe = writing
            return False
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            data = pipe.read()
        self.trials.learn(json.loads(data) if data else _NOTHING)
        os.waitpid(child, 0)
        return True

    def _change_module(self, site: Site, statements: Statements) -> None:
        try:
            changed = statements.changed(site)
        except (SyntaxError, ValueError):
            self._say("invalid")
        original = statements.original(site.top)
        if original is not None and changed is not None and is_same(original, changed):
            self._say("equivalent")
        self.finder.changes[self.path] = statements.executing(site.top, changed)

    def _say(self, word: str) -> None:
        self.statement.write(word[0].encode())
        os._exit(0)

    # -- in forks -----------------------------------------------------------------------------

    def _break_all(self) -> None:
        """In a fork whose module is not to be had any more."""
        self.trials.break_all()
        self.statement.write(SURVIVED)

    def _run_all(self) -> None:
        """In a fork made at the import: every trial; the scout tells what it saw."""
        if self._pipe is not None:
            self._tell()
            return
        self.trials.run_all()
        self.statement.write(SURVIVED)

    def _tell(self) -> None:
        data = json.dumps(self.trials.observe()).encode()
        while data and self._pipe is not None:
            data = data[os.write(self._pipe, data) :]

    def _take_baseline(self) -> None:
        """Only when there was no import to fork at."""
        if not self.trials.costs and self.trials.checks and not self._scout():
            act_and_end(self._tell)

    def _cost(self, _: int) -> float:
        return 0.02 + sum(self.trials.costs)

    # -- mutants of what a call runs --------------------------------------------------------

    def _judge_call(self, number: int, site: Site) -> None:
        trials = self.trials.reaching(range(site.lines[0], site.lines[1] + 1))
        if not trials:
            self.results.append([number, site.lines[0], "not_covered", []])
            return
        try:
            change = self.changes.prepare({"path": self.path, "number": number, "unit": None})
        except (Same, Invalid, CannotSwap) as error:
            self.results.append([number, site.lines[0], _WORDS[type(error)], []])
            return
        self.trials.board.clear()
        self.statement.write(RUNNING)
        child = fork_child()
        if child == 0:
            act_and_end(lambda: self._change_and_run(change, trials))
        watch(child, self.statement, self._cost)
        self._conclude(number, site)

    def _change_and_run(self, change: "Callable[[], None]", trials: "list[int]") -> None:
        change()
        self.trials.run(trials)
        self.statement.write(SURVIVED)

    def _conclude(self, number: int, site: Site) -> None:
        word = {b"e": "equivalent", b"i": "invalid"}.get(self.statement.read()[0])
        broken = self.trials.broken()
        verdict = word or ("killed" if broken else "survived")
        self.results.append([number, site.lines[0], verdict, [] if word else broken])
        self.litter.sweep()
