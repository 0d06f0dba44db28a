"""One warm process that has collected the tests once, and judges many mutants in forks."""

import gc
import os
import time
from typing import Any

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
    Litter,
    Statement,
    act_and_end,
    fork_child,
    run_child,
    watch,
)
from .loading import Statements, TargetFinder, rewrite_ahead
from .scouting import Scout
from .suite import Suite
from .tree import kept_tree
from .units import CannotSwap, is_same

_WORDS = {
    SURVIVED: "survived", KILLED: "killed", SAME: "equivalent", UNFIT: "unfit",
    TIMEOUT: "timeout", DIED: "died", INVALID: "invalid",
}  # fmt: skip
_CHEAP_SUITE_SECONDS = 2.0


class Server:
    """Serves one slice of the mutants: imports first, the rest when tests are collected."""

    def __init__(self, request: "dict[str, Any]", finder: TargetFinder) -> None:
        self.began = time.monotonic()
        self.seconds: float = request["seconds"]
        self.finder = finder
        self.changes = Changes(finder, request["exhaustive"])
        self.suite = Suite(request)
        self.broken = frozenset(request["broken"])
        self.alone: dict[int, bool] = dict.fromkeys(request["alone"], True)
        self.waiting: list[dict[str, Any]] = request["mutants"]
        self.results: list[dict[str, Any]] = []
        self.imported: list[str] = request["imported"]
        self.collection_errors: list[str] = []
        self.config: Any = None
        self.packages: list[str] = request["packages"]
        self._scout: Scout | None = None
        self._carried: dict[str, Any] = {}
        self._is_warm = False
        self.is_child = False
        self._order: list[int] | None = None
        self.own = Statement()
        self._to_parent = Statement()
        self.root: str = request["root"]
        self.tree = kept_tree(request)
        self.litter = Litter()
        finder.before_execution = self.at_import

    def is_late(self) -> bool:
        """Whether the slice is used up."""
        return time.monotonic() - self.began > self.seconds

    # -- mutants of what runs when a module is imported ---------------------------------

    def at_import(self, path: str) -> None:
        """A module is about to be executed for the first time: judge its import-time mutants.

        In the child this returns, and the import goes on with the changed module.
        """
        if self.is_child:
            return
        here = [each for each in self.waiting if each["path"] == path and each["at_import"]]
        if not here or path in self.finder.loaded:
            return
        if not self._warm_up():
            return
        statements = Statements(self.changes.survey(path).tree, path)
        statements.prepare()
        for mutant in here:
            if self.is_late():
                return
            self.waiting.remove(mutant)
            found = self._judge_import(mutant, statements)
            if found is None:
                return
            self._conclude(mutant, *found)

    def _judge_import(
        self, mutant: "dict[str, Any]", statements: Statements
    ) -> "tuple[bytes, int] | None":
        """What becomes of an import-time mutant; None in the child, which goes on with it."""
        found = self._import_in_fork(mutant, statements, None)
        if found is None or found[0] != DOUBTFUL:
            return found
        again = self._import_in_fork(mutant, statements, [found[1]])
        if again is None or again[0] != SURVIVED:
            return again
        return self._import_in_fork(mutant, statements, self.suite.in_order)

    def _import_in_fork(
        self, mutant: "dict[str, Any]", statements: Statements, order: "list[int] | None"
    ) -> "tuple[bytes, int] | None":
        self._to_parent.write(RUNNING)
        child = fork_child()
        if child == 0:
            gc.disable()  # until tests run: nothing of what is made before them goes
            self._order = order
            self._become_child(mutant, statements)
            return None
        found = watch(child, self._to_parent, self.suite.cost)
        self._tidy()
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
            return False
        watch(child, self._to_parent, self.suite.cost)
        self._tidy()
        scout.learn()
        return True

    def _look_ahead(self) -> None:
        """In a scout that has collected the tests."""
        if self._scout is not None:
            self._scout.report()
            if self.suite.cpu_seconds < _CHEAP_SUITE_SECONDS:
                self.suite.first_failing(self.suite.in_order, self._to_parent)
                self._scout.report()

    def _become_child(self, mutant: "dict[str, Any]", statements: Statements) -> None:
        self.is_child = True
        self._carried = mutant
        site = self.changes.site(mutant)
        if site is None:
            return
        original = statements.original(site.top)
        try:
            self.finder.changes[mutant["path"]] = statements.executing(site)
            changed = statements.code(site.top)
        except (SyntaxError, ValueError):
            self._to_parent.write(INVALID)
            os._exit(0)
        if original is not None and changed is not None and is_same(original, changed):
            self._to_parent.write(SAME)
            os._exit(0)

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
            self._conclude(mutant, *self._judge_call(mutant))

    def _judge_own(self) -> None:
        new = [each for each in self.collection_errors if each not in self.broken]
        if new or not self.suite.items:
            self.give_up()
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

    def _judge_call(self, mutant: "dict[str, Any]") -> "tuple[bytes, int]":
        """A mutant that no import has run: change it in a fork and run the tests that reach it."""
        if mutant["at_import"] and mutant["path"] in self.finder.loaded:
            return UNFIT, NO_TEST  # it was imported before anybody could look
        wanted = self.suite.in_order if mutant["at_import"] else mutant["tests"]
        tests = [test for test in wanted if test in self.suite.items]
        if not tests or len(tests) < len(wanted):
            return UNFIT, NO_TEST  # this process has not collected what the baseline ran
        prepared = self.changes.prepare(mutant)

        def activate() -> None:
            self.changes.activate(mutant, prepared)

        word, test = self._judge(activate, self.suite.ranked(tests, mutant))
        if word == KILLED and test != NO_TEST and not self._passes_alone(test):
            return self._run(activate, self.suite.in_order)
        if word == SURVIVED and self._may_be_remembered(tests):
            return self._run(activate, self.suite.in_order)
        return word, test

    def _may_be_remembered(self, tests: "list[int]") -> bool:
        """Whether others could notice what a test here has made the target remember.

        In the baseline only the first test that needs a memo runs the code that fills it.
        """
        is_cheap = self.suite.cpu_seconds < _CHEAP_SUITE_SECONDS
        return is_cheap and len(tests) < len(self.suite.items)

    def _judge(self, activate: Any, order: "list[int]") -> "tuple[bytes, int]":
        """Likely killers first. One that killed after others has to do it again, alone."""
        word, test = self._run(activate, order)
        if word != KILLED or test in (order[0], NO_TEST):
            return word, test
        again, _ = self._run(activate, [test])
        if again in (KILLED, TIMEOUT):
            return again, test
        return self._run(activate, self.suite.in_order)

    def _run(self, activate: Any, order: "list[int]") -> "tuple[bytes, int]":
        def act() -> None:
            try:
                activate()
            except Same:
                self.own.write(SAME)
                return
            except Invalid:
                self.own.write(INVALID)
                return
            except CannotSwap:
                self.own.write(UNFIT)
                return
            place = self.suite.first_failing(order, self.own)
            self.own.write(SURVIVED if place is None else KILLED, order[place or 0])

        found = run_child(self.own, act, self.suite.cost)
        self._tidy()
        return found

    def _passes_alone(self, test: int) -> bool:
        if test not in self.alone:
            self.alone[test] = self._run(lambda: None, [test])[0] == SURVIVED
        return self.alone[test]

    def _recheck_import_killers(self) -> None:
        """A test that fails alone on unchanged code has killed nothing: say so."""
        for result in self.results:
            test = result["test"]
            if result["verdict"] == "killed" and test in self.suite.items:
                result["sure"] = self._passes_alone(test)

    # -- book-keeping -------------------------------------------------------------------

    def _conclude(self, mutant: "dict[str, Any]", word: bytes, test: int) -> None:
        if word == KILLED:
            self.suite.learn(test, mutant)
        self.results.append(
            {"key": mutant["key"], "verdict": _WORDS[word], "test": test, "sure": True}
        )
        self._tidy()

    def _tidy(self) -> None:
        self.litter.sweep()
        if self.tree is not None:
            self.tree.put_back()
