"""From scenarios to a test file: sift, try, choose, write, and run it until nothing wavers."""

import ast
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from reverie.dreamers.enrich.writing.bodies import body_of
from reverie.dreamers.enrich.writing.candidates import (
    Candidate,
    candidates_of,
    free_checks,
    needs_of,
    trial_program,
)
from reverie.dreamers.enrich.writing.checks import Names
from reverie.dreamers.enrich.writing.choosing import Offer, choose
from reverie.dreamers.enrich.writing.constructors import constructors_of
from reverie.dreamers.enrich.writing.formatting import formatted
from reverie.dreamers.enrich.writing.grouping import Entry, Test, arrange
from reverie.dreamers.enrich.writing.habits import Framework, Habits, find_habits
from reverie.dreamers.enrich.writing.invariants import laws_of
from reverie.dreamers.enrich.writing.manual import Manual, manual_of
from reverie.dreamers.enrich.writing.messages import texts_of
from reverie.dreamers.enrich.writing.module_names import callee_order, own_names
from reverie.dreamers.enrich.writing.offers import offers_of
from reverie.dreamers.enrich.writing.page import Heading, Needs, render
from reverie.dreamers.enrich.writing.shapes import Parameters, parameters_of
from reverie.dreamers.enrich.writing.subject import Subject, SuspectedBug, Written
from reverie.dreamers.enrich.writing.suspicion import sift
from reverie.dreamers.enrich.writing.threads import threads_of
from reverie.dreamers.enrich.writing.trimming import shorter_forms
from reverie.dreamers.enrich.writing.type_check import answered, complaints
from reverie.instruments.flakiness import Steadiness, find_wavering
from reverie.instruments.mutation.matrix import ENOUGH, Ground, KillMatrix, measure_kills
from reverie.model.call import combine
from reverie.model.outcome import IsolationTier
from reverie.model.scenario import Scenario
from reverie.sandbox.engine import Sandbox

_MOST_MUTANTS = 1500
_MATRIX_SHARE, _SHORTENING_SHARE = 0.5, 0.4
"""Of the time that is left."""
_LAST_SHARE, _LAST_SECONDS = 0.3, 5.0
"""What is set aside for running and checking the file: so much on an idle machine, at most."""
_STILL_KILLED = 0.98
_TYPING_SECONDS = 5.0
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the source of a module says, read once."""

    names: Names
    texts: tuple[str, ...]
    parameters: Parameters
    order: dict[str, int]
    manual: Manual


def know(subject: Subject) -> Knowledge:
    """Read a module's source."""
    tree = ast.parse(subject.source)
    package = subject.module.partition(".")[0]
    return Knowledge(
        Names(own_names(tree), frozenset({package}), constructors_of(tree)),
        texts_of(tree),
        parameters_of(tree),
        callee_order(tree),
        manual_of(tree),
    )


def write_tests(
    sandbox: Sandbox,
    subject: Subject,
    scenarios: Sequence[Scenario],
    *,
    deadline: float | None,
    command: str,
    framework: Framework | None = None,
    must_notice: bool = False,
) -> Written:
    """The tests that are worth keeping of what a search has seen.

    A test that `must_notice` is left out when no mutant breaks it, whatever it covers.
    """
    known = know(subject)
    habits = find_habits(subject.repository, subject.module, framework)
    pieces = threads_of(scenarios, known.names.own)
    sifted = sift(pieces, known.manual, subject.module, subject.path)
    laws = laws_of(sifted.scenarios) if sandbox.tier is not IsolationTier.LANDLOCK else []
    candidates = candidates_of([*sifted.scenarios, *laws], known.names, known.texts)
    writer = _Writer(sandbox, subject, known, habits, candidates, command)
    writer.deadline = deadline
    writer.must_notice = must_notice
    writer.measure()
    return writer.write(tuple(sifted.findings))


class _Writer:
    """One file in the making."""

    def __init__(
        self,
        sandbox: Sandbox,
        subject: Subject,
        known: Knowledge,
        habits: Habits,
        candidates: list[Candidate],
        command: str,
    ) -> None:
        self.sandbox = sandbox
        self.subject = subject
        self.known = known
        self.habits = habits
        self.candidates = candidates
        self.command = command
        self.ground = _ground(subject)
        self.matrix: KillMatrix | None = None
        self.deadline: float | None = None
        self.must_notice = False
        self.executions = 0
        self.mutants: int | None = None
        self.notes: list[str] = []

    def measure(self) -> None:
        """Which check notices which mutant; then the same for shorter forms of what was chosen."""
        self._measure(_share(self.deadline, _MATRIX_SHARE))
        if self.matrix is None:
            self.notes.append("chosen by coverage alone: this isolation allows no forks")
            return
        first, candidates = self.matrix, self.candidates
        chosen = choose(self._offers(candidates, first))
        self.candidates = shorter_forms(candidates, chosen)
        self._measure(_share(self.deadline, _SHORTENING_SHARE), only=first.killable)
        again: KillMatrix | None = self.matrix
        if again is None or len(again.killable) < _STILL_KILLED * len(first.killable):
            self.matrix, self.candidates = first, candidates  # there was no time for it
        else:
            self.matrix = replace(again, judged=first.judged)
        self.mutants = len(first.mutants)

    def _measure(self, seconds: float | None, only: frozenset[int] | None = None) -> None:
        self.matrix = None
        if self.candidates:
            self.matrix = measure_kills(
                self.sandbox,
                self.ground,
                trial_program(self.candidates, self.subject.module),
                [list(each.numbers) for each in self.candidates],
                seconds=seconds,
                most=_MOST_MUTANTS,
                only=only,
                enough=ENOUGH if only is None else len(self.candidates),
            )
        self.executions += 0 if self.matrix is None else self.matrix.executions

    def write(self, findings: tuple[SuspectedBug, ...]) -> Written:
        """Choose, write, run; what wavers is left out of the next choice."""
        offers = self._offers(self.candidates, self.matrix)
        if self.must_notice and self.matrix is not None:
            offers = [offer for offer in offers if offer.kills]
        wavering: set[int] = set()
        for _ in range(_ROUNDS):
            kept = [offer for offer in offers if offer.candidate not in wavering]
            chosen = self._completed(choose(kept))
            tests = self._tests(chosen)
            source = formatted(self.sandbox, self._page(chosen, tests), self.habits.width)
            with ThreadPoolExecutor(1) as beside:
                typed = beside.submit(self._complaints, source)
                blamed = self._blamed(source, tests)
            if not blamed:
                source = answered(source, typed.result())
                return self._written(source, tests, chosen, len(wavering), findings)
            wavering |= blamed
        self.notes.append("tests kept wavering, whatever was left out")
        return self._written("", [], {}, len(wavering), findings)

    def _offers(self, candidates: list[Candidate], matrix: KillMatrix | None) -> list[Offer]:
        return offers_of(candidates, matrix, self.known.manual)

    def _completed(self, chosen: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """Lines that have to be there anyway say what they come to, where that is short."""
        found = {}
        for place, numbers in chosen.items():
            candidate = self.candidates[place]
            free = [
                number
                for number in free_checks(candidate, numbers)
                if self.matrix is None or number in self.matrix.steady
            ]
            found[place] = tuple(sorted((*numbers, *free)))
        return found

    def _tests(self, chosen: dict[int, tuple[int, ...]]) -> list[Test]:
        entries = [
            Entry(
                place,
                self.candidates[place].callee(each),
                tuple(body_of(self.candidates[place], each)),
            )
            for place, each in chosen.items()
        ]
        return arrange(entries, self.known.parameters, self.known.order)

    def _page(self, chosen: dict[int, tuple[int, ...]], tests: Sequence[Test]) -> str:
        if not tests:
            return ""
        wanted = combine("", [needs_of(self.candidates[at], each) for at, each in chosen.items()])
        heading = Heading(self.subject.module, self.command, self.habits.framework)
        needs = Needs(wanted.names, wanted.modules, wanted.definitions)
        return render(tests, heading, needs)

    def _blamed(self, source: str, tests: Sequence[Test]) -> set[int]:
        """The candidates whose tests failed in any run."""
        if not source:
            return set()
        found = find_wavering(self.sandbox, self.ground, source)
        self.executions += found.runs
        if found.broken:
            self.notes.append(f"could not be collected: {found.broken[0][-200:]}")
            return {key for test in tests for key in test.keys}
        return _keys(found, tests)

    def _complaints(self, source: str) -> dict[int, set[str]]:
        """What mypy objects to; nothing when the time is up."""
        is_late = self.deadline is not None and time.monotonic() > self.deadline - _TYPING_SECONDS
        return {} if is_late else complaints(self.sandbox, self.subject, source)

    def _written(
        self,
        source: str,
        tests: Sequence[Test],
        chosen: dict[int, tuple[int, ...]],
        wavering: int,
        findings: tuple[SuspectedBug, ...],
    ) -> Written:
        matrix = self.matrix
        numbers = [number for each in chosen.values() for number in each]
        noticed = (
            [] if matrix is None else [matrix.kills.get(each, frozenset()) for each in numbers]
        )
        arcs = [each.scenario.arcs for each in self.candidates] if matrix is None else matrix.arcs
        return Written(
            path=self.habits.path,
            source=source,
            tests=sum(test.count for test in tests),
            lines=sum(bool(line.strip()) for line in source.splitlines()),
            flaky_removed=wavering,
            findings=findings,
            mutants=self.mutants,
            killed=None if matrix is None else len(frozenset().union(*noticed)),
            arcs=frozenset().union(*(arcs[place] for place in chosen)),
            executions=self.executions,
            notes=tuple(self.notes),
        )


def _share(deadline: float | None, share: float) -> float | None:
    """A share of what is left when the runs of the written file have had theirs."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    return max(1.0, share * (left - min(_LAST_SHARE * left, _LAST_SECONDS * _crowding())))


def _crowding() -> float:
    """How many want each core; more of everything takes longer then."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _ground(subject: Subject) -> Ground:
    return Ground(
        subject.import_root,
        os.path.relpath(subject.path, subject.import_root),
        subject.module,
        (subject.import_root,),
        subject.python,
        tuple(root for root in subject.roots if root != subject.import_root),
    )


def _keys(found: Steadiness, tests: Sequence[Test]) -> set[int]:
    """The candidates behind tests that wavered: of a table, the row alone."""
    blamed: set[int] = set()
    for name, row in found.wavering:
        for test in tests:
            if test.name != name.rpartition(".")[2]:
                continue
            is_row = test.table is not None and "." not in name
            blamed.update((test.keys[row],) if is_row else test.keys)
    return blamed
