"""One warm process that has collected the tests once, and judges many mutants in forks."""

import gc
import os
import time
from types import CodeType
from typing import Any

from . import items
from .children import (
    DIED,
    INVALID,
    JUDGING,
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
from .reading import read_source
from .sites import CHANGES_NOTHING, RAISES, Site, Survey, planted
from .tree import Tree
from .units import (
    FUTURE_FLAGS,
    CannotSwap,
    Holders,
    changed_unit,
    codes_by_place,
    compile_unit,
    is_same,
)

_WORDS = {
    SURVIVED: "survived", KILLED: "killed", SAME: "equivalent", UNFIT: "unfit",
    TIMEOUT: "timeout", DIED: "died", INVALID: "invalid",
}  # fmt: skip


class Server:
    """Serves one slice of the mutants: imports first, the rest when tests are collected."""

    def __init__(self, request: "dict[str, Any]", finder: TargetFinder) -> None:
        self.began = time.monotonic()
        self.seconds: float = request["seconds"]
        self.finder = finder
        self.exhaustive: bool = request["exhaustive"]
        self.tests: list[str] = request["tests"]
        self.costs: list[float] = request["costs"]
        self.slow = frozenset(request["slow"])
        self.bad = frozenset(request["bad"])
        self.broken = frozenset(request["broken"])
        self.collect_seconds: float = request["collect_seconds"]
        self.kills: dict[int, int] = {int(k): v for k, v in request["kills"].items()}
        self.unit_kills: dict[tuple[str, str, int], int] = {}
        self.alone: dict[int, bool] = dict.fromkeys(request["alone"], True)
        self.waiting: list[dict[str, Any]] = request["mutants"]
        self.results: list[dict[str, Any]] = []
        self.imported: list[str] = request["imported"]
        self.collection_errors: list[str] = []
        self.config: Any = None
        self._is_warm = False
        self.is_child = False
        self.own = Statement()
        self._to_parent = Statement()
        self._surveys: dict[str, Survey] = {}
        self._items: dict[int, Any] = {}
        self.root: str = request["root"]
        self.tree = Tree(request["root"], os.path.join(_scratch(), "original"))
        self.restores: bool = request["restore"] and self.tree.is_restorable
        if self.restores:
            self.tree.keep()
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
        self._warm_up()
        statements = Statements(self._survey(path).tree, path)
        statements.prepare()
        for mutant in here:
            if self.is_late():
                return
            self.waiting.remove(mutant)
            self._to_parent.write(RUNNING)
            began = time.process_time()
            child = fork_child()
            if child == 0:
                self._become_child(mutant, statements)
                return
            self._conclude(mutant, *watch(child, self._to_parent, self._cost), began)

    def _warm_up(self) -> None:
        """Do once what every fork would do after this point."""
        if self._is_warm:
            return
        self._is_warm = True
        self.finder.compile_ahead(self.imported)
        names = dict.fromkeys(test.partition("::")[0] for test in self.tests)
        files = [os.path.join(self.root, name) for name in names if name.endswith(".py")]
        if self.config is not None:
            rewrite_ahead(self.config, files)
        gc.collect()
        gc.freeze()

    def _become_child(self, mutant: "dict[str, Any]", statements: Statements) -> None:
        self.is_child = True
        site = self._site(mutant)
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
        self._take_items(session)
        if self.is_child:
            act_and_end(self._judge_own)
        self.holders = Holders()
        self.codes = {path: codes_by_place(code) for path, code in self.finder.loaded.items()}
        gc.collect()
        gc.freeze()
        self._recheck_import_killers()
        while self.waiting and not self.is_late():
            mutant = self.waiting.pop(0)
            began = time.process_time()
            self._conclude(mutant, *self._judge_call(mutant), began)

    def _judge_own(self) -> None:
        new = [each for each in self.collection_errors if each not in self.broken]
        if new or not self._items:
            self.give_up()
        self._to_parent.write(JUDGING)
        word, test = self._judge(lambda: None, sorted(self._items), "")
        self._to_parent.write(word, test)

    def _judge_call(self, mutant: "dict[str, Any]") -> "tuple[bytes, int]":
        """A mutant that no import has run: change it in a fork and run the tests that reach it."""
        tests = [test for test in mutant["tests"] if test in self._items]
        if not tests:
            return SURVIVED, NO_TEST
        unit = f"{mutant['path']}:{mutant['scope']}"
        prepared = self._prepare(mutant)

        def activate() -> None:
            self._activate(mutant, prepared)

        word, test = self._judge(activate, tests, unit)
        if word == KILLED and test != NO_TEST and not self._passes_alone(test):
            return self._run(activate, sorted(self._items))
        return word, test

    def _judge(self, activate: Any, tests: "list[int]", unit: str) -> "tuple[bytes, int]":
        """Likely killers first. One that killed after others has to do it again, alone."""
        order = sorted(tests, key=lambda test: self._rank(test, unit))
        word, test = self._run(activate, order)
        if word != KILLED or test in (order[0], NO_TEST):
            return word, test
        again, _ = self._run(activate, [test])
        if again in (KILLED, TIMEOUT):
            return again, test
        return self._run(activate, sorted(self._items))

    def _run(self, activate: Any, order: "list[int]") -> "tuple[bytes, int]":
        def act() -> None:
            try:
                activate()
            except _Same:
                self.own.write(SAME)
                return
            except _Invalid:
                self.own.write(INVALID)
                return
            except CannotSwap:
                self.own.write(UNFIT)
                return
            chosen = [self._items[test] for test in order]
            slow = {id(self._items[test]) for test in order if self._is_slow(test)}
            place = items.run_in_order(
                self.runner,
                chosen,
                lambda item: id(item) in slow,
                lambda place: self.own.write(RUNNING, order[place]),
            )
            self.own.write(SURVIVED if place is None else KILLED, order[place or 0])

        found = run_child(self.own, act, self._cost)
        self._tidy()
        return found

    def _prepare(self, mutant: "dict[str, Any]") -> "CodeType | None":
        """The code that is to be replaced; None when its module is not loaded yet."""
        site = self._site(mutant)
        places = self.codes.get(mutant["path"])
        if site is None or site.unit is None or places is None:
            return None
        return places.get((site.unit.qualname, site.unit.line))

    def _activate(self, mutant: "dict[str, Any]", loaded: "CodeType | None") -> None:
        site, path = self._site(mutant), mutant["path"]
        if site is None:
            return
        survey = self._surveys[path]
        if path not in self.finder.loaded:
            statements = Statements(survey.tree, path)
            statements.prepare()
            self.finder.changes[path] = statements.executing(site)
            return
        if loaded is None or site.unit is None:
            raise CannotSwap("its code is not to be found")
        flags = loaded.co_flags & FUTURE_FLAGS
        before = compile_unit(site.unit, path, flags)
        try:
            after = changed_unit(site, path, flags, loaded)
        except (SyntaxError, ValueError) as error:
            raise _Invalid(str(error)) from error
        if is_same(before, after):
            raise _Same
        self.holders.swap(loaded, after)

    # -- tests --------------------------------------------------------------------------

    def _take_items(self, session: Any) -> None:
        self.runner = items.ItemRunner(session)
        number = {name: index for index, name in enumerate(self.tests)}
        for item in session.items:
            if item.nodeid not in self.bad:
                self._items[number.setdefault(item.nodeid, len(number))] = item

    def _is_slow(self, test: int) -> bool:
        return test in self.slow or test >= len(self.tests)

    def _cost(self, test: int) -> float:
        if test == NO_TEST:
            return self.collect_seconds
        return self.costs[test] if test < len(self.costs) else 1.0

    def _rank(self, test: int, unit: str) -> "tuple[int, float]":
        near = self.unit_kills.get((unit, "", test), 0)
        return -near, -(self.kills.get(test, 0) + 0.1) / (self._cost(test) + 0.001)

    def _passes_alone(self, test: int) -> bool:
        if test not in self.alone:
            self.alone[test] = self._run(lambda: None, [test])[0] == SURVIVED
        return self.alone[test]

    def _recheck_import_killers(self) -> None:
        """A test that fails alone on unchanged code has killed nothing: say so."""
        for result in self.results:
            test = result["test"]
            if result["verdict"] == "killed" and test in self._items:
                result["sure"] = self._passes_alone(test)

    # -- book-keeping -------------------------------------------------------------------

    def _conclude(self, mutant: "dict[str, Any]", word: bytes, test: int, began: float) -> None:
        unit = f"{mutant['path']}:{mutant['scope']}"
        if word == KILLED and test != NO_TEST:
            self.kills[test] = self.kills.get(test, 0) + 1
            key = (unit, "", test)
            self.unit_kills[key] = self.unit_kills.get(key, 0) + 1
        self.results.append(
            {"key": mutant["key"], "verdict": _WORDS[word], "test": test, "sure": True}
        )
        self._tidy()

    def _tidy(self) -> None:
        self.litter.sweep()
        if self.restores:
            self.tree.put_back()

    def _survey(self, path: str) -> Survey:
        if path not in self._surveys:
            self._surveys[path] = Survey(read_source(path), self.exhaustive)
        return self._surveys[path]

    def _site(self, mutant: "dict[str, Any]") -> "Site | None":
        """The site of a mutant; None for one that changes nothing, planted to survive."""
        survey = self._survey(mutant["path"])
        number: int = mutant["number"]
        if number == CHANGES_NOTHING:
            return None
        if number == RAISES:
            return planted(survey, mutant["unit"])
        return survey.sites[number]


class _Invalid(Exception):
    """The change is not Python."""


class _Same(Exception):
    """The change makes no difference to what Python runs."""


def _scratch() -> str:
    return os.environ.get("TMPDIR", "/tmp")
