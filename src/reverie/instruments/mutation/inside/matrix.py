"""Which of many small checks notice which mutant: each mutant in a fork, with all that reach it.

The process that forks never runs a trial itself: what the target remembers of one would hide a
mutant from the next.
"""

import gc
import hashlib
import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from .changes import Changes, Invalid, Same
from .children import RUNNING, SURVIVED, Litter, Statement, act_and_end, fork_child, watch
from .loading import Statements, TargetFinder, forget_modules
from .sites import Site
from .trials import Trials
from .units import CannotSwap, is_same

_NOTHING: "dict[str, Any]" = {"steady": [], "lines": [], "arcs": [], "costs": []}
_WORDS: "dict[type[Exception], str]" = {Same: "equivalent", Invalid: "invalid", CannotSwap: "unfit"}


class Matrix:
    """One module, one program of trials, a share of the module's mutants."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.request = request
        self.root: str = request["root"]
        self.path = os.path.join(self.root, request["files"][0])
        self.finder = TargetFinder(frozenset((self.path,)))
        self.changes = Changes(self.finder, exhaustive=False)
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
