"""Mutants of what is loaded by now: each is made in a fork, and the tests are run there."""

from collections.abc import Callable
from typing import Any

from .baseline import CHEAP_SUITE_SECONDS
from .changes import Changes, Invalid, Same
from .children import (
    INVALID,
    KILLED,
    NO_TEST,
    SAME,
    SURVIVED,
    TIMEOUT,
    UNFIT,
    Litter,
    Statement,
    run_child,
)
from .late import LateValues, Unimportable
from .loading import TargetFinder
from .pages import LargePages
from .suite import Suite
from .tree import Tree
from .units import CannotSwap

Found = tuple[bytes, int]
"""The last word on a mutant, and the test it is about."""
_UNIMPORTABLE = b"x"
_WORDS: "dict[type[Exception], bytes]" = {
    Same: SAME, Invalid: INVALID, CannotSwap: UNFIT, Unimportable: _UNIMPORTABLE,
}  # fmt: skip
_TROUBLES = tuple(_WORDS)
_QUICK_SUITE_SECONDS = 0.05
"""A suite that costs little more than a fork."""


class Yard:
    """What all forks of one warm process share, and how it is tidied up after each."""

    def __init__(self, tree: "Tree | None", private: "list[str]") -> None:
        self.pages = LargePages()
        self._tree = tree
        self._litter = Litter(private)

    def tidy(self) -> None:
        """Nothing that a test has left is there for the next."""
        self._litter.sweep()
        if self._tree is not None:
            self._tree.put_back()


class Judge:
    """Judges one mutant after the other, when the tests are collected."""

    def __init__(
        self, suite: Suite, changes: Changes, late: LateValues, finder: TargetFinder, yard: Yard
    ) -> None:
        self.suite = suite
        self.changes = changes
        self.late = late
        self.finder = finder
        self.yard = yard
        self.alone: dict[int, bool] = {}
        self.raising_is_noticed: dict[str, bool] = {}
        """By file: whether tests notice that it cannot be imported."""
        self._steady: dict[tuple[str, tuple[int, ...]], bool] = {}
        self._own = Statement()

    def judge(self, mutant: "dict[str, Any]") -> Found:
        """What becomes of a mutant."""
        if mutant["at_import"] and mutant["path"] in self.finder.loaded:
            return self._judge_late(mutant)
        wanted = self.suite.in_order if mutant["at_import"] else mutant["tests"]
        tests = [test for test in wanted if test in self.suite.items]
        if not tests or len(tests) < len(wanted):
            return UNFIT, NO_TEST  # this process has not collected what the baseline ran
        try:
            change = self.changes.prepare(mutant)
        except _TROUBLES as trouble:
            return _WORDS[type(trouble)], NO_TEST
        return self._judge_call(change, tests, mutant)

    def _judge_call(
        self, change: "Callable[[], None]", tests: "list[int]", mutant: "dict[str, Any]"
    ) -> Found:
        """The tests that reach it; all in their own order where that decides and costs little."""
        is_quick = self.suite.cpu_seconds < _QUICK_SUITE_SECONDS
        if is_quick and self.suite.last_killer(mutant, NO_TEST) is None:
            return self.run(change, self.suite.in_order)
        word, test = self._ranked(change, self.suite.ranked(tests, mutant))
        if word == KILLED and test != NO_TEST and not self.passes_alone(test):
            return self.run(change, self.suite.in_order)
        if word == SURVIVED and self._may_be_remembered(tests):
            return self.run(change, self.suite.in_order)
        return word, test

    def _judge_late(self, mutant: "dict[str, Any]") -> Found:
        """A value that nobody has looked at yet is bound anew, then all tests are run."""
        places = self.late.places(mutant)
        if places is None or not self._is_steady(mutant["path"], places):
            return UNFIT, NO_TEST  # it was imported before anybody could look
        try:
            change = self.late.prepare(mutant, places)
        except _TROUBLES as trouble:
            return _WORDS[type(trouble)], NO_TEST
        likely = self.suite.last_killer(mutant, None)
        if likely is not None and self.passes_alone(likely):
            word, test = self.run(change, [likely])
            if word != SURVIVED:
                return self._without_import(mutant, word, test)
        return self._without_import(mutant, *self.run(change, self.suite.in_order))

    def _without_import(self, mutant: "dict[str, Any]", word: bytes, test: int) -> Found:
        """A statement that raises would have kept the tests from being collected."""
        if word != _UNIMPORTABLE:
            return word, test
        is_noticed = self.raising_is_noticed.get(mutant["path"], False)
        return (KILLED if is_noticed else UNFIT), NO_TEST

    def _is_steady(self, path: str, places: "list[int]") -> bool:
        """Whether executing the same statements unchanged goes unnoticed."""
        key = path, tuple(places)
        if key not in self._steady:
            unchanged = self.late.unchanged(path, places)
            self._steady[key] = self.run(unchanged, self.suite.in_order)[0] == SURVIVED
        return self._steady[key]

    def _may_be_remembered(self, tests: "list[int]") -> bool:
        """Whether others could notice what a test here has made the target remember.

        In the baseline only the first test that needs a memo runs the code that fills it.
        """
        is_cheap = self.suite.cpu_seconds < CHEAP_SUITE_SECONDS
        return is_cheap and len(tests) < len(self.suite.items)

    def _ranked(self, change: "Callable[[], None]", order: "list[int]") -> Found:
        """Likely killers first. One that killed after others has to do it again, alone."""
        word, test = self.run(change, order)
        if word != KILLED or test in (order[0], NO_TEST):
            return word, test
        again, _ = self.run(change, [test])
        if again in (KILLED, TIMEOUT):
            return again, test
        return self.run(change, self.suite.in_order)

    def run(self, change: "Callable[[], None]", order: "list[int]") -> Found:
        """Make a change in a fork and run tests there until one fails."""

        def act() -> None:
            try:
                change()
            except _TROUBLES as trouble:
                self._own.write(_WORDS[type(trouble)])
                return
            place = self.suite.first_failing(order, self._own)
            self._own.write(SURVIVED if place is None else KILLED, order[place or 0])

        self.yard.pages.before_fork()
        found = run_child(self._own, act, self.suite.cost)
        self.yard.tidy()
        return found

    def passes_alone(self, test: int) -> bool:
        """Whether a test passes on unchanged code when no other was run before it."""
        if test not in self.alone:
            self.alone[test] = self.run(lambda: None, [test])[0] == SURVIVED
        return self.alone[test]
