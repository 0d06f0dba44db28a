"""One pytest session over a room: tests are collected once, and every mutant is a fork of that.

The rooms are pure and the tests our own, so no sandbox stands around them. What makes mutants,
puts them in place and runs a test is the instrument behind `reverie mutate`.
"""

import ast
import gc
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from benchmarks.gates.rooms import ROOT
from reverie.instruments.mutation.inside.baseline import in_fork
from reverie.instruments.mutation.inside.children import (
    KILLED,
    RUNNING,
    SURVIVED,
    TIMEOUT,
    Statement,
    run_child,
)
from reverie.instruments.mutation.inside.items import ItemRunner
from reverie.instruments.mutation.inside.reading import read_source
from reverie.instruments.mutation.inside.sites import Site, Survey
from reverie.instruments.mutation.inside.units import (
    FUTURE_FLAGS,
    CannotSwap,
    Holders,
    changed_unit,
    compile_unit,
    is_same,
)
from reverie.model.mutation import Mutant

Told = Callable[[int, str, str | None], None]
"""The place of a mutant, what became of it, and the test that noticed."""
_SECONDS = 1.0
"""What a test may cost at most, twenty times over, before a mutant counts as endless."""
_NOTHING = "the fork has not said"


class Unplaced(Exception):
    """A mutant that can be made by an import only."""


@dataclass
class Session:
    """The plugin that takes the loop of a pytest session over."""

    mutants: Sequence[Mutant]
    tell: Told
    kills: Counter[int] = field(default_factory=Counter)
    surveys: dict[str, Survey] = field(default_factory=dict)

    def pytest_runtestloop(self, session: Any) -> bool:
        self.items, self.runner, self.statement = session.items, ItemRunner(session), Statement()
        self.reach = self._reach()
        self.holders = Holders()
        self.live = {
            (code.co_filename, code.co_qualname, code.co_firstlineno): code
            for held in self.holders._functions.values()
            for code in {function.__code__ for function in held}
        }
        gc.collect()
        gc.freeze()
        for place, mutant in enumerate(self.mutants):
            try:
                word, killer = self._judge(mutant)
            except Unplaced:
                word, killer = "unplaced", None
            self.tell(place, word, killer)
        return True

    def _judge(self, mutant: Mutant) -> tuple[str, str | None]:
        path = str(ROOT / mutant.file)
        survey = self.surveys.setdefault(path, Survey(read_source(path)))
        site = survey.sites[mutant.number]
        change, key = self._change(path, survey, site)
        if change is None:
            return "equivalent", None
        tests = sorted(self.reach.get(key, ()), key=lambda place: -self.kills[place])
        if not tests:
            return "survived", None
        word, test = run_child(self.statement, lambda: self._act(change, tests), lambda _: _SECONDS)
        if word == SURVIVED:
            return "survived", None
        self.kills[test] += 1
        named = self.items[test].nodeid if 0 <= test < len(self.items) else None
        return ("timeout" if word == TIMEOUT else "killed"), named

    def _act(self, change: Callable[[], None], tests: Sequence[int]) -> None:
        try:
            change()
        except Exception:  # noqa: BLE001  the import would have raised it
            self.statement.write(KILLED)
            return
        for test in tests:
            self.statement.write(RUNNING, test)
            if not self.runner.passes(self.items[test], None, is_slow=False):
                self.statement.write(KILLED, test)
                return
        self.statement.write(SURVIVED)

    def _change(
        self, path: str, survey: Survey, site: Site
    ) -> tuple[Callable[[], None] | None, str]:
        """How a fork makes the mutant, None for no difference; and what tests have to reach."""
        if site.unit is None:
            return self._rebinding(path, survey, site), path
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
            return None, path
        return lambda: self.holders.swap(loaded, new), f"{path}|{unit.qualname}"

    def _rebinding(self, path: str, survey: Survey, site: Site) -> Callable[[], None]:
        """A value of the module, made anew and put wherever its old one is known by that name."""
        node = survey.tree.body[site.top]
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [each.id for each in targets if isinstance(each, ast.Name)]
        if not names:
            raise Unplaced
        with site.applied():
            statement = ast.Module([survey.tree.body[site.top]], [])
            code: CodeType = compile(statement, path, "exec", dont_inherit=True)
        module = next(each for each in sys.modules.values() if _file_of(each) == path)
        return lambda: _rebind(module.__dict__, code, names)

    def _reach(self) -> Mapping[str, list[int]]:
        """By file, and by file and function: the tests that run it."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, key in in_fork(self._seen):
            found[key].append(place)
        return found

    def _seen(self) -> list[tuple[int, str]]:
        files = {str(ROOT / each.file) for each in self.mutants}
        seen: set[str] = set()

        def notice(frame: FrameType, event: str, argument: object) -> None:
            code = frame.f_code
            if event == "call" and code.co_filename in files:
                outermost = code.co_qualname.partition(".<locals>")[0]
                seen.update((code.co_filename, f"{code.co_filename}|{outermost}"))

        found: list[tuple[int, str]] = []
        for place, item in enumerate(self.items):
            seen.clear()
            sys.setprofile(notice)
            is_good = self.runner.passes(item, None, is_slow=False)
            sys.setprofile(None)
            found += [(place, key) for key in sorted(seen)] if is_good else []
        return found


def _rebind(space: dict[str, Any], code: CodeType, names: Sequence[str]) -> None:
    old = {name: space[name] for name in names}
    exec(code, space)  # noqa: S102  a statement of our own source
    for module in list(sys.modules.values()):
        for name in names:
            if vars(module).get(name, _NOTHING) is old[name]:
                vars(module)[name] = space[name]


def _file_of(module: object) -> str:
    return os.fspath(getattr(module, "__file__", None) or "")
