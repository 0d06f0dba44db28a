"""One warm process that has collected the tests once, and judges many mutants in forks."""

import gc
import os
import resource
import time
from contextlib import ExitStack
from types import CodeType
from typing import Any

from . import items
from .baseline import CHEAP_SUITE_SECONDS
from .changes import Changes, Invalid, Same
from .children import (
    DIED,
    DOUBTFUL,
    INVALID,
    KILLED,
    NO_TEST,
    RUNNING,
    SAME,
    SURVIVED,
    TIMEOUT,
    UNFIT,
    Statement,
    act_and_end,
    fork_child,
    watch,
)
from .judging import Found, Judge, Yard
from .late import LateValues, Watch
from .loading import TargetFinder, rewrite_ahead
from .scouting import Scout
from .sites import RAISES
from .suite import Suite
from .tree import kept_tree

_WORDS = {
    SURVIVED: "survived", KILLED: "killed", SAME: "equivalent", UNFIT: "unfit",
    TIMEOUT: "timeout", DIED: "died", INVALID: "invalid",
}  # fmt: skip
_WALL_PER_CPU = 4.0


class Server:
    """Serves one slice of the mutants: imports first, the rest when tests are collected."""

    def __init__(self, request: "dict[str, Any]", finder: TargetFinder) -> None:
        self.began = time.monotonic()
        self.seconds: float = request["seconds"]
        self.finder = finder
        self.changes = Changes(finder, request["exhaustive"])
        self.late = LateValues(self.changes, finder, request["imported"])
        self.suite = Suite(request)
        self.yard = Yard(kept_tree(request), request["private"])
        self.judge = Judge(self.suite, self.changes, self.late, finder, self.yard)
        self.judge.alone = dict.fromkeys(request["alone"], True)
        self.broken = frozenset(request["broken"])
        self.waiting: list[dict[str, Any]] = request["mutants"]
        self.results: list[dict[str, Any]] = []
        self.imported: list[str] = list(request["imported"])
        self.collection_errors: list[str] = []
        self.config: Any = None
        self.packages: list[str] = request["packages"]
        self.root: str = request["root"]
        self.is_child = False
        self._scout: Scout | None = None
        self._watch: Watch | None = None
        self._carried: dict[str, Any] = {}
        self._is_warm = False
        self._order: list[int] | None = None
        self._quiet = ExitStack()
        self._to_parent = Statement()
        finder.before_execution = self.at_import

    def is_late(self) -> bool:
        """Whether the slice is used up: by what was spent, or by what others left of the time."""
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = time.process_time() + usage.ru_utime + usage.ru_stime
        waited = time.monotonic() - self.began
        return spent > self.seconds or waited > _WALL_PER_CPU * self.seconds

    # -- mutants of what runs when a module is imported ---------------------------------

    def at_import(self, path: str) -> None:
        """A module is about to be executed for the first time: judge its import-time mutants.

        In the child this returns, and the import goes on with the changed module.
        """
        if self.is_child:
            return
        here = [each for each in self.waiting if each["path"] == path and each["at_import"]]
        if not here or path in self.finder.loaded or not self._warm_up():
            return
        early = [mutant for mutant in here if self.late.places(mutant) is None]
        if len(early) < len(here):
            raising = {**here[0], "number": RAISES, "unit": None}
            found = self._judge_import(raising)
            if found is None:
                return
            self.judge.raising_is_noticed[path] = found[0] == KILLED
        for mutant in early:
            if self.is_late():
                return
            self.waiting.remove(mutant)
            found = self._judge_import(mutant)
            if found is None:
                return
            self._conclude(mutant, *found)

    def _judge_import(self, mutant: "dict[str, Any]") -> "Found | None":
        """What becomes of an import-time mutant; None in the child, which goes on with it."""
        site, code = self.changes.site(mutant), None
        try:
            code = None if site is None else self.changes.statement(mutant, site)
        except Same:
            return SAME, NO_TEST
        except Invalid:
            return INVALID, NO_TEST
        place = None if site is None else site.top
        found = self._import_in_fork(mutant, place, code, None)
        if found is None or found[0] != DOUBTFUL:
            return found
        again = self._import_in_fork(mutant, place, code, [found[1]])
        if again is None or again[0] != SURVIVED:
            return again
        return self._import_in_fork(mutant, place, code, self.suite.in_order)

    def _import_in_fork(
        self,
        mutant: "dict[str, Any]",
        place: "int | None",
        code: "CodeType | None",
        order: "list[int] | None",
    ) -> "Found | None":
        self._to_parent.write(RUNNING)
        self.yard.pages.before_fork()
        child = fork_child()
        if child == 0:
            gc.disable()  # until tests run: nothing of what is made before them goes
            self.is_child, self._carried, self._order = True, mutant, order
            self._quiet.enter_context(items.without_words())
            if place is not None:
                statements = self.changes.statements(mutant["path"])
                self.finder.changes[mutant["path"]] = statements.executing(place, code)
            return None
        found = watch(child, self._to_parent, self.suite.cost)
        self.yard.tidy()
        return found

    def _warm_up(self) -> bool:
        """Do once what every fork would do after this point; no in a scout, which goes on."""
        if self._is_warm:
            return True
        self._is_warm = True
        if not self._send_scout():
            return False
        self.finder.compile_ahead(self.imported)
        names = dict.fromkeys(test.partition("::")[0] for test in self.suite.names)
        files = [os.path.join(self.root, name) for name in names if name.endswith(".py")]
        if self.config is not None:
            rewrite_ahead(self.config, files)
        gc.collect()
        gc.freeze()
        return True

    def _send_scout(self) -> bool:
        """Learn from a fork that goes on unchanged; no in that fork."""
        scout = Scout(self.packages)
        self._to_parent.write(RUNNING)
        child = fork_child()
        if child == 0:
            self.is_child, self._scout = True, scout
            self._watch = Watch(self.finder)
            return False
        watch(child, self._to_parent, self.suite.cost)
        self.yard.tidy()
        self.late.seen = scout.learn()
        return True

    def _look_ahead(self) -> None:
        """In a scout that has collected the tests."""
        if self._scout is not None and self._watch is not None:
            looked_at = self._watch.seen()
            self._scout.report(looked_at)
            if self.suite.cpu_seconds < CHEAP_SUITE_SECONDS:
                self.suite.first_failing(self.suite.in_order, self._to_parent)
                self._scout.report(looked_at)

    def give_up(self) -> None:
        """In a child whose tests could not be collected: that is a mutant noticed."""
        self._to_parent.write(KILLED, NO_TEST)
        os._exit(0)

    # -- when tests are collected -------------------------------------------------------

    def at_tests(self, session: Any) -> None:
        """Judge: in a child the one mutant it carries, else all that are left."""
        self.suite.take(session)
        if self.is_child:
            act_and_end(self._judge_own if self._scout is None else self._look_ahead)
        if not self._is_warm and not self._send_scout():
            act_and_end(self._look_ahead)
        self.changes.look_around()
        gc.collect()
        gc.freeze()
        self._recheck_import_killers()
        while self.waiting and not self.is_late():
            mutant = self.waiting.pop(0)
            self._conclude(mutant, *self.judge.judge(mutant))

    def _judge_own(self) -> None:
        new = [each for each in self.collection_errors if each not in self.broken]
        if new or not self.suite.items:
            self.give_up()
        self._quiet.close()
        gc.freeze()
        gc.enable()
        chosen = self._order
        if chosen is None:
            chosen = self.suite.ranked(self.suite.in_order, self._carried)
        order = [test for test in chosen if test in self.suite.items]
        place = self.suite.first_failing(order, self._to_parent)
        if place is None:
            self._to_parent.write(SURVIVED)
        else:
            is_sure = place == 0 or self._order is not None
            self._to_parent.write(KILLED if is_sure else DOUBTFUL, order[place])

    def _recheck_import_killers(self) -> None:
        """A test that fails alone on unchanged code has killed nothing: say so."""
        for result in self.results:
            test = result["test"]
            if result["verdict"] == "killed" and test in self.suite.items:
                result["sure"] = self.judge.passes_alone(test)

    def _conclude(self, mutant: "dict[str, Any]", word: bytes, test: int) -> None:
        if word in (KILLED, SURVIVED):
            self.suite.learn(test if word == KILLED else None, mutant)
        self.results.append(
            {"key": mutant["key"], "verdict": _WORDS[word], "test": test, "sure": True}
        )
