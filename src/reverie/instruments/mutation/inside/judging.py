"""Mutants of what is loaded by now: each is made in a fork, and the tests are run there.

The suite of a warm process knows what each test costs, which kill, and in which order to try them.
"""

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

from . import items
from .baseline import CHEAP_SUITE_SECONDS
from .changes import Changes, Invalid, Same
from .children import (
    INVALID,
    KILLED,
    NO_TEST,
    RUNNING,
    SAME,
    SURVIVED,
    TIMEOUT,
    UNFIT,
    LargePages,
    Litter,
    Statement,
    Tree,
    run_child,
    unnamed_file,
)
from .late import LateValues, Unimportable
from .loading import CannotSwap, Change, TargetFinder
from .tables import Tables


class Suite:
    """Tests by their place in the host's list; those it does not know come after."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.names: list[str] = request["tests"]
        self.items: dict[int, Any] = {}
        self._costs: list[float] = request["costs"]
        self._slow = frozenset(request["slow"])
        self._bad = frozenset(request["bad"])
        self._collect_seconds: float = request["collect_seconds"]
        self._kills: dict[int, int] = {int(k): v for k, v in request["kills"].items()}
        self._near_kills: dict[tuple[str, int], int] = {}
        self._last_killers: dict[str, int | None] = {}

    def take(self, session: Any) -> None:
        """The tests are collected."""
        self._runner = items.ItemRunner(session)
        number = {name: index for index, name in enumerate(self.names)}
        found = [item.nodeid for item in session.items]
        known = items.known_names(found, self.names, self._bad)
        for item in session.items:
            name = known[item.nodeid]
            if name not in self._bad:
                self.items[number.setdefault(name, len(number))] = item

    @property
    def in_order(self) -> "list[int]":
        """All tests as pytest would run them; before they are collected, all that are known."""
        return sorted(self.items) if self.items else list(range(len(self.names)))

    def cost(self, test: int) -> float:
        """CPU seconds of a test; of the collection when there is none yet."""
        if test == NO_TEST:
            return self._collect_seconds
        return self._costs[test] if test < len(self._costs) else 1.0

    def ranked(self, tests: "Iterable[int]", mutant: "dict[str, Any]") -> "list[int]":
        """Likely killers first: of the same line, of the same function, then the cheap ones."""
        line, unit = _line(mutant), _unit(mutant)

        def rank(test: int) -> "tuple[int, int, float]":
            worth = (self._kills.get(test, 0) + 0.1) / (self.cost(test) + 0.001)
            nearest = self._near_kills.get((line, test), 0)
            return -nearest, -self._near_kills.get((unit, test), 0), -worth

        return sorted(tests, key=rank)

    def last_killer(self, mutant: "dict[str, Any]", otherwise: "int | None") -> "int | None":
        """The test that killed the last mutant of the same line; None if that one survived."""
        return self._last_killers.get(_line(mutant), otherwise)

    def learn(self, test: "int | None", mutant: "dict[str, Any]") -> None:
        """A test has killed a mutant; None: it survived."""
        self._last_killers[_line(mutant)] = None if test == NO_TEST else test
        if test is not None and test != NO_TEST:
            self._kills[test] = self._kills.get(test, 0) + 1
            for place in (_line(mutant), _unit(mutant)):
                self._near_kills[place, test] = self._near_kills.get((place, test), 0) + 1

    @property
    def cpu_seconds(self) -> float:
        """What all of them cost together."""
        return sum(self._costs)

    def first_failing(self, order: "list[int]", statement: Statement) -> "int | None":
        """Run tests in this process, for good; the place of the first that fails."""
        chosen = [self.items[test] for test in order]
        slow = {id(self.items[test]) for test in order if self._is_slow(test)}
        return items.run_in_order(
            self._runner,
            chosen,
            lambda item: id(item) in slow,
            lambda place: statement.write(RUNNING, order[place]),
        )

    def _is_slow(self, test: int) -> bool:
        return test in self._slow or test >= len(self.names)


def _line(mutant: "dict[str, Any]") -> str:
    return f"{mutant['path']}:{mutant['line']}"


def _unit(mutant: "dict[str, Any]") -> str:
    return f"{mutant['path']}:{mutant['scope']}"


Found = tuple[bytes, int]
"""The last word on a mutant, and the test it is about."""
_UNIMPORTABLE = b"x"
_WORDS: "dict[type[Exception], bytes]" = {
    Same: SAME, Invalid: INVALID, CannotSwap: UNFIT, Unimportable: _UNIMPORTABLE,
}  # fmt: skip
_TROUBLES = tuple(_WORDS)
_QUICK_SUITE_SECONDS = 0.05
"""A suite that costs little more than a fork."""


_WORTH_A_RUN = 3
_Changed = tuple[str, Change, frozenset[str]]
"""A table's file, how to fill it otherwise, and the names that are bound by that."""


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
        self._unread: frozenset[str] = frozenset()
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

    def look_up(self, mutants: "Iterable[dict[str, Any]]") -> None:
        """Find the changed entries of tables that no test asks for: one run for all of them."""
        changed: dict[str, _Changed] = {}
        for mutant in mutants:
            path = mutant["path"]
            if mutant["at_import"] and path in self.finder.loaded:
                table = self.late.table(mutant)
                if table is not None:
                    changed[mutant["key"]] = path, *table
        if len(changed) < _WORTH_A_RUN:
            return
        notes = unnamed_file()
        run_child(self._own, lambda: self._note_unread(changed, notes), self.suite.cost)
        self.yard.tidy()
        data = os.pread(notes, os.fstat(notes).st_size, 0)
        os.close(notes)
        self._unread = frozenset(json.loads(data)) if data else frozenset()

    def _note_unread(self, changed: "dict[str, _Changed]", notes: int) -> None:
        """In a fork: run all tests with tables that note what they are asked for."""
        names: dict[str, set[str]] = {}
        for path, _, bound in changed.values():
            names.setdefault(path, set()).update(bound)
        tables = {path: Tables(self.finder.spaces[path], names[path]) for path in names}
        if self.suite.first_failing(self.suite.in_order, self._own) is not None:
            return
        self._own.write(RUNNING, NO_TEST)
        unread = [
            key
            for key, (path, anew, bound) in changed.items()
            if tables[path].is_unnoticed(anew, bound)
        ]
        os.pwrite(notes, json.dumps(unread).encode(), 0)

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
        if mutant["key"] in self._unread:
            return SURVIVED, NO_TEST
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
