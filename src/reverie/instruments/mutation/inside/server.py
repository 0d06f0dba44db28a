"""One warm process that has collected the tests once, and judges many mutants in forks.

What every fork would do again is done once before them: memos that no mutant can hide behind. A
scout is a fork that goes on unchanged: it collects the tests, runs them where that is cheap, and
notes which modules of the standard library are loaded then and which regular expressions
are compiled. Its parent loads and compiles those itself. Both depend on nothing but
their names: a mutant asks for another expression and gets another one. Nothing of the target is
taken over.

`judge_many` is the other way: mutants one by one, each in a process in which nothing of the target
was ever imported. The parent imports pytest and nothing else. A child reads the changed file as
text, collects and runs the tests in their own order and pytest's own way: nothing is shared with
the warm process whose verdicts are looked at again.
"""

import gc
import importlib
import json
import os
import re
import resource
import sys
import time
import warnings
from collections.abc import Callable, Iterable
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
    Litter,
    Statement,
    act_and_end,
    fork_child,
    kept_tree,
    run_child,
    unnamed_file,
    watch,
)
from .judging import Found, Judge, Suite, Yard
from .late import LateValues, Watch
from .loading import TargetFinder, rewrite_ahead
from .sites import RAISES

_EXPRESSIONS_AT_MOST = 200
_NOTHING: "dict[str, Any]" = {"modules": [], "expressions": [], "looked_at": {}}


class Scout:
    """The notes of one scout, in a file that it shares with its parent."""

    def __init__(self, own_packages: "Iterable[str]") -> None:
        self._notes = unnamed_file()
        self._own = frozenset(own_packages)
        self._known = frozenset(sys.modules)

    def report(self, looked_at: "dict[str, list[str]]") -> None:
        """In the scout: note what has come since, and what others looked at in modules."""
        cache: dict[Any, Any] = getattr(re, "_cache", {})
        plain = [[key[1], int(key[2])] for key in cache if len(key) == 3 and key[0] is str]
        notes = {
            "modules": [name for name in sys.modules if self._is_standard(name)],
            "expressions": plain[-_EXPRESSIONS_AT_MOST:],
            "looked_at": looked_at,
        }
        os.pwrite(self._notes, json.dumps(notes).encode(), 0)

    def learn(self) -> "dict[str, list[str]]":
        """In the parent: do what the scout has done; what others looked at, as far as it came."""
        data = os.pread(self._notes, os.fstat(self._notes).st_size, 0)
        os.close(self._notes)
        notes = json.loads(data) if data else _NOTHING
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # one that warns has to warn whoever asks for it
            for name in notes["modules"]:
                _load(name)
            for pattern, flags in notes["expressions"]:
                _compile(pattern, flags)
        return notes["looked_at"]  # type: ignore[no-any-return]

    def _is_standard(self, name: str) -> bool:
        top = name.partition(".")[0]
        return (
            name not in self._known
            and top in getattr(sys, "stdlib_module_names", ())
            and top not in self._own
        )


def _load(name: str) -> None:
    try:
        importlib.import_module(name)
    except (ImportError, Warning):
        return  # not a file of its own, or one that says something: every fork for itself


def _compile(pattern: str, flags: int) -> None:
    try:
        re.compile(pattern, flags)
    except (re.error, ValueError, Warning):
        return


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
        self.judge.look_up(self.waiting)
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


_WORTH_KEEPING = 4
"""Mutants from which on bytecode of their own pays: what is installed is compiled for it, too."""
_FAILED_SESSIONS = (2, 3, 4)  # interrupted, internal error, wrong usage: of pytest's exit codes


def judge_many(
    request: "dict[str, Any]", run_one: "Callable[[dict[str, Any]], dict[str, Any]]"
) -> "dict[str, Any]":
    """A verdict for each mutant of the request, as far as its time goes."""
    began = time.monotonic()
    scratch = os.environ.get("TMPDIR", "/tmp")
    if len(request["mutants"]) >= _WORTH_KEEPING:  # what one child compiles, the next one reads
        sys.pycache_prefix = os.path.join(scratch, "bytecode")
        sys.dont_write_bytecode = False
        os.makedirs(sys.pycache_prefix, exist_ok=True)
    tree = kept_tree(request)
    litter, statement = Litter(request["private"]), Statement()
    numbers = {name: index for index, name in enumerate(request["tests"])}
    results: list[dict[str, Any]] = []
    for mutant in request["mutants"]:
        if results and time.monotonic() - began > request["seconds"]:
            break

        def act(mutant: "dict[str, Any]" = mutant) -> None:
            found = run_one({**request, "mode": "fresh", **mutant})
            is_killed = found.get("killed") is not False or found["exit"] in _FAILED_SESSIONS
            test = numbers.get(found.get("killer") or "", NO_TEST)
            statement.write(KILLED if is_killed else SURVIVED, test)

        word, test = run_child(statement, act, lambda _: request["whole_seconds"])
        results.append({"key": mutant["key"], "verdict": _WORDS[word], "test": test, "sure": True})
        litter.sweep()
        if tree is not None:
            tree.put_back()
    return {"results": results, "alone": []}
