"""A mutant by a true import: the changed file, and everything that may rest on it, anew."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from benchmarks.gates.forks import run_fork
from benchmarks.gates.reach import hold_still
from benchmarks.gates.rooms import ROOT
from reverie.instruments.mutation.inside.children import (
    KILLED,
    NO_TEST,
    RUNNING,
    SURVIVED,
    TIMEOUT,
    Statement,
)
from reverie.instruments.mutation.inside.loading import (
    TargetFinder,
    executing_text,
)
from reverie.instruments.mutation.inside.sites import read_source
from reverie.instruments.mutation.mutant_texts import changed_source
from reverie.model.measurements.suite import JudgedMutant, Mutant, MutantVerdict

OPTIONS = (
    *("-qq", "-x", "-p", "no:cacheprovider", "--import-mode=importlib", f"--rootdir={ROOT}"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
_SECONDS = 2.0
"""What a test is taken to cost; twenty times that and a mutant counts as endless."""


@dataclass
class Importer:
    """Tries mutants with the tests that are worth asking, likely ones first."""

    kills: Counter[str] = field(default_factory=Counter)
    statement: Statement = field(default_factory=Statement)
    passing: set[str] = field(default_factory=set)
    """Tests that have been seen to pass after an import of files as they are."""

    def judge(self, mutant: Mutant, tests: Sequence[str]) -> JudgedMutant:
        """In a fork; a test counts as having noticed only if it passes without the change."""
        source = changed_source(str(ROOT), mutant).encode()
        asked = sorted(tests, key=lambda each: -self.kills[each])
        word, killer = self._run(mutant.file, source, asked)
        if word == SURVIVED or not self._does_pass(mutant.file, killer or asked[0]):
            return JudgedMutant(mutant, MutantVerdict.SURVIVED)
        self.kills[killer or asked[0]] += 1
        verdict = MutantVerdict.TIMEOUT if word == TIMEOUT else MutantVerdict.KILLED
        return JudgedMutant(mutant, verdict, killer)

    def _does_pass(self, file: str, test: str) -> bool:
        if test not in self.passing:
            word, _ = self._run(file, read_source(str(ROOT / file)), [test])
            self.passing |= {test} if word == SURVIVED else set()
        return test in self.passing

    def _run(self, file: str, source: bytes, tests: Sequence[str]) -> tuple[bytes, str | None]:
        word, place = run_fork(
            self.statement, lambda: self._act(file, source, tests), lambda _: _SECONDS
        )
        return word, tests[place] if 0 <= place < len(tests) else None

    def _act(self, file: str, source: bytes, tests: Sequence[str]) -> None:
        _forget_what_rests_on_rooms()
        path = str(ROOT / file)
        finder = TargetFinder(frozenset({path}))
        finder.changes[path] = executing_text(source, path)
        finder.come_first()
        told = _Told(finder, tests, self.statement)
        for files in _in_turn(tests):
            if pytest.main([*OPTIONS, *files], plugins=[told]) not in (0, 5):
                self.statement.write(KILLED, told.failed)
                return
        self.statement.write(SURVIVED)


def _forget_what_rests_on_rooms() -> None:
    """Everything of ours but the layers below, of which import-linter holds that they stay so."""
    for name in list(sys.modules):
        is_ours = name.partition(".")[0] in ("reverie", "tests")
        if (
            is_ours
            and name != "reverie"
            and not name.startswith(("reverie.model", "reverie.errors"))
        ):
            del sys.modules[name]


def _in_turn(tests: Sequence[str]) -> list[list[str]]:
    """The file of the likeliest test alone, then the others together."""
    files = list(dict.fromkeys(each.partition("::")[0] for each in tests))
    return [each for each in (files[:1], files[1:]) if each]


class _Told:
    """Asks the chosen tests in their order. pytest puts its finder first; ours stays before it."""

    def __init__(self, finder: TargetFinder, tests: Sequence[str], statement: Statement) -> None:
        self.failed = NO_TEST
        self._finder = finder
        self._places = {each: place for place, each in enumerate(tests)}
        self._statement = statement

    def pytest_load_initial_conftests(self) -> None:
        self._finder.come_first()

    def pytest_sessionstart(self) -> None:
        hold_still()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        chosen = [each for each in items if each.nodeid in self._places]
        items[:] = sorted(chosen, key=lambda each: self._places[each.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._statement.write(RUNNING, self._places[nodeid])

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self.failed == NO_TEST:
            self.failed = self._places[report.nodeid]
