"""One pytest session over a room: tests are collected once, and every mutant is a fork of that.

The rooms are pure and the tests our own, so no sandbox stands around them. What makes mutants,
puts them in place and runs a test is the instrument behind `reverie mutate`.
"""

import ast
import gc
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from types import CodeType
from typing import Any

from benchmarks.gates.forks import run_fork
from benchmarks.gates.reach import Measured, hold_still
from benchmarks.gates.rooms import RESULTS, ROOMS, ROOT
from reverie.instruments.mutation.inside.children import (
    KILLED,
    NO_TEST,
    RUNNING,
    SURVIVED,
    TIMEOUT,
    UNFIT,
    Statement,
)
from reverie.instruments.mutation.inside.items import ItemRunner
from reverie.instruments.mutation.inside.loading import (
    FUTURE_FLAGS,
    CannotSwap,
    Holders,
    changed_unit,
    compile_unit,
    is_same,
)
from reverie.instruments.mutation.inside.sites import Site, Survey, read_source
from reverie.model.measurements.suite import Mutant

Told = Callable[[int, str, str | None, list[int]], None]
"""The place of a mutant, what became of it, the test that noticed, and those worth asking."""
_LEAST_SECONDS = 0.15
"""What a test is taken to cost at least; twenty times its cost and a mutant counts as endless."""
_BATCH = 40
_BRIEFLY = 0.15
"""How many seconds of tests a mutant is asked among others, before it gets a fork of its own."""
_UNDECIDED = ""
_Cache = type(lru_cache(len))


class Unplaced(Exception):
    """A mutant that can be made by an import only."""


@dataclass(frozen=True, slots=True)
class Change:
    """What makes a mutant of the code that is loaded, and what unmakes it."""

    make: Callable[[], None]
    unmake: Callable[[], None]


@dataclass
class Session:
    """The plugin that takes the loop of a pytest session over."""

    mutants: Sequence[Mutant]
    tell: Told
    name: Callable[[list[str]], None]
    """Is given the names of all tests, before anything is told of them."""
    patience: float
    """How many seconds of tests a mutant is asked at most."""
    kills: Counter[tuple[str, int]] = field(default_factory=Counter)
    """By place of the test, and by function, by file and in all."""
    surveys: dict[str, Survey] = field(default_factory=dict)

    def pytest_sessionstart(self) -> None:
        hold_still()

    def pytest_runtestloop(self, session: Any) -> bool:
        self.items, self.runner, self.statement = session.items, ItemRunner(session), Statement()
        self.name([each.nodeid for each in self.items])
        files = [str(ROOT / each) for room in ROOMS for each in room.modules]
        self.reach = Measured(RESULTS / "gates_reach.json", files).of(self.items, self.runner)
        self.lookers = self.reach.of_nothing()
        self.holders = Holders()
        self.live = {
            (code.co_filename, code.co_qualname, code.co_firstlineno): code
            for held in self.holders._functions.values()
            for code in {function.__code__ for function in held}
        }
        self.caches = [each for each in gc.get_objects() if _is_cache_of_ours(each)]
        gc.collect()
        gc.freeze()
        self._judge_all()
        return True

    def _judge_all(self) -> None:
        """Batch by batch; who says nothing among others is tried alone."""
        place = 0
        while place < len(self.mutants):
            batch = self.mutants[place : place + _BATCH]
            words = self._together(batch)
            unheard = [(_UNDECIDED, NO_TEST)] if len(words) < len(batch) else []
            for mutant, (word, test) in zip(batch, [*words, *unheard], strict=False):
                is_over = word != _UNDECIDED
                said = self._over(mutant, word, test) if is_over else self._judge(mutant)
                self.tell(place, *said)
                place += 1

    def _together(self, batch: Sequence[Mutant]) -> list[tuple[str, int]]:
        """What can be said of mutants that are made and unmade one after the other in one fork."""
        reading, writing = os.pipe()

        def act() -> None:
            for mutant in batch:
                os.write(writing, (json.dumps(self._briefly(mutant)) + "\n").encode())

        run_fork(self.statement, act, self._cost)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as lines:
            return [tuple(json.loads(line)) for line in lines]

    def _briefly(self, mutant: Mutant) -> tuple[str, int]:
        """A kill counts when the test that noticed passes again once the mutant is unmade."""
        path, site = self._site(mutant)
        try:
            change = self._change(path, site)
        except Unplaced:
            return _UNDECIDED, NO_TEST
        if change is None:
            return "equivalent", NO_TEST
        tests = self._tests(path, site, min(self.patience, _BRIEFLY))
        try:
            change.make()
            killer = next((each for each in tests if not self._passes(each)), NO_TEST)
        except Exception:  # noqa: BLE001  to be seen again by itself
            return _UNDECIDED, NO_TEST
        finally:
            with suppress(CannotSwap):
                change.unmake()
            for cache in self.caches:
                cache.cache_clear()
        if killer == NO_TEST or not self._passes(killer):
            return _UNDECIDED, NO_TEST
        self._note(path, site, killer)
        return "killed", killer

    def _passes(self, place: int) -> bool:
        """A test that is run again begins anew, whatever became of it before."""
        self.statement.write(RUNNING, place)
        item = self.items[place]
        is_good = self.runner.passes(item, None, is_slow=False)
        if not is_good:
            with suppress(BaseException):
                self.runner._state.teardown_exact(None)
        item._request, item.funcargs = False, None
        return is_good

    def _over(self, mutant: Mutant, word: str, test: int) -> tuple[str, str | None, list[int]]:
        if test == NO_TEST:
            return word, None, []
        self._note(*self._site(mutant), test)
        return word, self.items[test].nodeid, []

    def _site(self, mutant: Mutant) -> tuple[str, Site]:
        path = str(ROOT / mutant.file)
        if path not in self.surveys:
            self.surveys[path] = Survey(read_source(path))
        return path, self.surveys[path].sites[mutant.number]

    def _note(self, path: str, site: Site, test: int) -> None:
        self.kills.update((each, test) for each in self._neighbourhoods(path, site))

    def _judge(self, mutant: Mutant) -> tuple[str, str | None, list[int]]:
        """In a fork of its own, with as many tests as patience allows."""
        path, site = self._site(mutant)
        tests = self._tests(path, site, self.patience)
        try:
            word, killer = self._tried(path, site, tests)
        except Unplaced:
            word, killer = "unplaced", None
        is_over = word in ("killed", "timeout", "equivalent")
        return word, killer, [] if is_over else tests

    def _tests(self, path: str, site: Site, patience: float) -> list[int]:
        """Who noticed neighbours first, then who costs least, for as long as patience lasts."""
        if site.unit is None:
            found = self.reach.of_file(path) | self.lookers
        else:
            found = self.reach.of_lines(path, *site.lines)
        near = self._neighbourhoods(path, site)

        def order(place: int) -> tuple[float, ...]:
            return *(-self.kills[each, place] for each in near), self.reach.costs[place]

        tests = sorted(found, key=order)
        spent = accumulate(self.reach.costs[each] for each in tests)
        return [each for each, cost in zip(tests, spent, strict=True) if cost <= patience]

    def _neighbourhoods(self, path: str, site: Site) -> tuple[str, str, str]:
        return f"{path}|{site.scope}", path, ""

    def _tried(self, path: str, site: Site, tests: Sequence[int]) -> tuple[str, str | None]:
        change = self._change(path, site)
        if change is None:
            return "equivalent", None
        if not tests:
            return "survived", None
        word, test = run_fork(self.statement, lambda: self._act(change.make, tests), self._cost)
        if word == UNFIT:
            raise Unplaced
        if word == SURVIVED:
            return "survived", None
        self._note(path, site, test)
        named = self.items[test].nodeid if 0 <= test < len(self.items) else None
        return ("timeout" if word == TIMEOUT else "killed"), named

    def _cost(self, place: int) -> float:
        return max(_LEAST_SECONDS, self.reach.costs.get(place, 0.0))

    def _act(self, change: Callable[[], None], tests: Sequence[int]) -> None:
        try:
            change()
        except CannotSwap:
            self.statement.write(UNFIT)
            return
        except Exception:  # noqa: BLE001  the import would have raised it
            self.statement.write(KILLED)
            return
        for test in tests:
            self.statement.write(RUNNING, test)
            if not self.runner.passes(self.items[test], None, is_slow=False):
                self.statement.write(KILLED, test)
                return
        self.statement.write(SURVIVED)

    def _change(self, path: str, site: Site) -> Change | None:
        """How a fork makes the mutant; None for no difference."""
        if site.unit is None:
            return self._rebinding(path, site)
        unit = site.unit
        loaded = self.live.get((path, unit.qualname, unit.line))
        if loaded is None:
            raise Unplaced
        flags = loaded.co_flags & FUTURE_FLAGS
        try:
            new = changed_unit(site, path, flags, loaded)
        except (CannotSwap, SyntaxError, ValueError):
            raise Unplaced from None
        if is_same(compile_unit(unit, path, flags), new):
            return None
        return Change(
            lambda: self.holders.swap(loaded, new), lambda: self.holders.swap(loaded, loaded)
        )

    def _rebinding(self, path: str, site: Site) -> Change:
        """A value of the module, made anew and put wherever its old one is known by that name."""
        body = self.surveys[path].tree.body
        node = body[site.top]
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [each.id for each in targets if isinstance(each, ast.Name)]
        if not names:
            raise Unplaced
        with site.applied():
            code: CodeType = compile(ast.Module([body[site.top]], []), path, "exec", 0, True)
        space = next(vars(each) for each in sys.modules.values() if _file_of(each) == path)
        old = [(each, name, space[name]) for name in names for each in _holding(name, space[name])]

        def make() -> None:
            exec(code, space)  # noqa: S102  a statement of our own source
            for each, name, _ in old:
                each[name] = space[name]

        def unmake() -> None:
            for each, name, value in old:
                each[name] = value

        return Change(make, unmake)


def _holding(name: str, value: object) -> list[dict[str, Any]]:
    return [vars(each) for each in list(sys.modules.values()) if vars(each).get(name) is value]


def _is_cache_of_ours(each: object) -> bool:
    return isinstance(each, _Cache) and each.__module__.startswith("reverie.")


def _file_of(module: object) -> str:
    return os.fspath(getattr(module, "__file__", None) or "")
