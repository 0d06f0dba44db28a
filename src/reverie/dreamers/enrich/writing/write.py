"""From scenarios to a test file: sift, try, choose, write, and run it until nothing wavers."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie.dreamers.enrich.writing.admission import constructors_of, texts_of
from reverie.dreamers.enrich.writing.habits import Framework, Habits, find_habits
from reverie.dreamers.enrich.writing.layout import formatted
from reverie.dreamers.enrich.writing.page import Heading, Needs, render
from reverie.dreamers.enrich.writing.polishing import answered, complaints, rejected_rows
from reverie.dreamers.enrich.writing.selecting.attribution import attribution_of
from reverie.dreamers.enrich.writing.selecting.candidates import (
    Candidate,
    Names,
    candidates_of,
    firmly,
    free_checks,
    needs_of,
)
from reverie.dreamers.enrich.writing.selecting.choosing import (
    STEP_WORTH,
    Offer,
    Reader,
    choose,
    offers_of,
)
from reverie.dreamers.enrich.writing.selecting.manual import Manual, manual_of
from reverie.dreamers.enrich.writing.selecting.never import Never
from reverie.dreamers.enrich.writing.selecting.suspicion import Sifted, sift
from reverie.dreamers.enrich.writing.selecting.taste import AnyTaste, Taste, Telling
from reverie.dreamers.enrich.writing.selecting.threads import Questions, threads_of
from reverie.dreamers.enrich.writing.selecting.weighing import Scales, Weighed, beyond, ground_of
from reverie.dreamers.enrich.writing.subject import (
    Standing,
    Subject,
    SuspectedBug,
    Written,
    callee_order,
    internal_names,
    own_names,
)
from reverie.dreamers.enrich.writing.wording.bodies import Writing, by_behaviour, entry_of
from reverie.dreamers.enrich.writing.wording.entries import Signatures
from reverie.dreamers.enrich.writing.wording.grouping import Test, arrange
from reverie.dreamers.enrich.writing.wording.invariants import companions, laws_of
from reverie.dreamers.enrich.writing.wording.reasons import Reasons, reasons_of
from reverie.dreamers.enrich.writing.wording.tables import Parameters, parameters_of
from reverie.instruments.flakiness import Steadiness, find_wavering
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.call import Scenario, Step, combine
from reverie.model.outcome import IsolationTier
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import parse_module

_TYPING_SECONDS = 5.0
_ROUNDS = 4
_MOST_BESIDE = 40
_JUDGED_ENOUGH = 0.5
"""Of the mutants; below that, whether a test notices any is left to its trial."""
_TURNS = 8
"""Of choosing anew without what could not be told well."""
_DISLIKED, _UNKEPT = 0.42, 0.32
"""How likely a maintainer keeps a test: below the first others go before it, below the second it
is none. A little above the gate's bar, for facts that differ by a hair between here and there."""
_DEARER = 6.0
"""Lines that a disliked check costs more than others."""
Liking = Callable[[str], Mapping[str, float]]
"""Says of the source of a test file how likely a maintainer keeps each of its tests."""
More = Callable[[frozenset[int], float | None], Sequence[Scenario]]
"""Asked about mutants that nothing notices, for so many seconds: scenarios that may."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the source of a module says, read once."""

    names: Names
    texts: tuple[str, ...]
    parameters: Parameters
    order: dict[str, int]
    manual: Manual
    reasons: Reasons
    signatures: Signatures


def know(subject: Subject) -> Knowledge:
    """Read a module's source."""
    tree = parse_module(subject.source)
    package = subject.module.partition(".")[0]
    manual = manual_of(tree)
    return Knowledge(
        Names(own_names(tree), frozenset({package}), constructors_of(tree)),
        tuple(dict.fromkeys((*texts_of(tree), *_texts_beside(subject.path)))),
        parameters_of(tree),
        callee_order(tree),
        manual,
        reasons_of(tree),
        Signatures(manual.functions),
    )


def _texts_beside(path: str) -> Iterator[str]:
    """Texts of the modules beside a module: what they raise comes through it."""
    for file in sorted(Path(path).parent.glob("*.py"))[:_MOST_BESIDE]:
        try:
            yield from texts_of(parse_module(file.read_text("utf-8")))
        except (OSError, SyntaxError, ValueError):
            continue


def write_tests(
    sandbox: Sandbox,
    subject: Subject,
    scenarios: Sequence[Scenario],
    *,
    deadline: float | None,
    command: str,
    framework: Framework | None = None,
    must_notice: bool = False,
    more: More | None = None,
    taste: Taste | None = None,
    standing: Standing | None = None,
    liking: Liking = lambda source: {},
) -> Written:
    """The tests that are worth keeping of what a search has seen.

    A test that `must_notice` is left out when no mutant breaks it, whatever it covers. `more` is
    asked for scenarios that notice what these do not, where there is time. Without a `taste`
    every input is as good as another. Of what the module's own tests protect, their `standing`,
    nothing is written again. What a maintainer has little `liking` for gives way to anything else
    that shows the same.
    """
    known = know(subject)
    habits = find_habits(subject.repository, subject.module, framework)

    package = subject.module.partition(".")[0]
    tree = parse_module(subject.source)
    internal = (
        frozenset[str]()
        if subject.repository is None
        else internal_names(tree, Path(subject.path), Path(subject.repository))
    )
    never = Never(known.manual, tree, package, subject.path, internal)
    telling = Telling(tree, taste)
    attribution = attribution_of(tree)
    questions = Questions(known.manual.functions)
    reader = Reader(known.manual, never, taste or AnyTaste(), telling.tells)
    refused: Counter[str] = Counter()

    def cost(step: Step) -> float:
        return reader.taste.strangeness(step) + len(reader.taste.oddities(step))

    def sifted(several: Sequence[Scenario]) -> Sifted:
        threads = threads_of([attribution.of(each) for each in several], known.names.own)
        pieces = [each for thread in threads for each in questions.apart(thread)]
        found = sift(pieces, known.manual, subject.module, subject.path, cost)
        judged = [(each, never.refuses(each)) for each in found.scenarios]
        refused.update(str(why) for _, why in judged if why is not None)
        found.scenarios = [each for each, why in judged if why is None]
        found.findings = [each for each in found.findings if not never.is_of_surroundings(each)]
        return found

    def candidates(several: Sequence[Scenario]) -> list[Candidate]:
        return candidates_of(several, known.names, known.texts, cost, telling.tells)

    first = sifted(scenarios)
    laws = (
        laws_of(first.scenarios, known.manual.documents)
        if sandbox.tier is not IsolationTier.LANDLOCK
        else []
    )
    scales = Scales(sandbox, subject, reader, deadline, standing)

    def further(survivors: frozenset[int], seconds: float | None) -> list[Candidate]:
        found = () if more is None else more(survivors, seconds)
        return candidates(sifted(found).scenarios)

    offered = candidates([*first.scenarios, *laws])
    weighed = scales.weigh(offered, None if more is None else further)
    writer = _Writer(sandbox, subject, known, habits, weighed, command)
    writer.reader = reader
    writer.standing = standing
    writer.notes += [f"left out {many}: {why}" for why, many in refused.most_common()]
    writer.deadline = deadline
    writer.must_notice = must_notice
    writer.liking = liking
    return writer.write((*first.findings, *weighed.questions))


class _Writer:
    """One file in the making."""

    def __init__(
        self,
        sandbox: Sandbox,
        subject: Subject,
        known: Knowledge,
        habits: Habits,
        weighed: Weighed,
        command: str,
    ) -> None:
        self.sandbox = sandbox
        self.subject = subject
        self.known = known
        self.habits = habits
        self.candidates = weighed.candidates
        self.command = command
        self.ground = ground_of(subject)
        self.matrix = weighed.matrix
        self.deadline: float | None = None
        self.must_notice = False
        self.liking: Liking = lambda source: {}
        self.wavering: set[int] = set()
        self.reader = Reader(known.manual)
        self.standing: Standing | None = None
        self.executions = weighed.executions
        self.mutants = weighed.mutants
        self.notes = list(weighed.notes)

    def write(self, findings: tuple[SuspectedBug, ...]) -> Written:
        """Choose, write, run; what wavers is left out of the next choice, then all of its kind."""
        matrix = None if self.matrix is None else beyond(self.standing, self.matrix)
        offers = offers_of(self.candidates, matrix, self.reader)
        if self.must_notice and self.matrix is not None and self._is_judged(self.matrix):
            offers = [offer for offer in offers if offer.kills]
        wavering = self.wavering
        for number in range(_ROUNDS):
            kept = [offer for offer in offers if offer.candidate not in wavering]
            chosen, tests = self._settled(kept)
            source = formatted(self.sandbox, self._page(chosen, tests), self.habits.width)
            with ThreadPoolExecutor(1) as beside:
                typed = beside.submit(self._complaints, source)
                blamed = self._blamed(source, tests)
            objections = typed.result()
            blamed |= rejected(source, objections, tests)
            if not blamed:
                source = answered(source, objections)
                return self._written(source, tests, chosen, len(wavering), findings)
            wavering |= blamed
            if number:
                # another witness of what the machine or the clock decides wavers as well
                about = {self.candidates[each].callee(chosen[each]) for each in blamed}
                wavering |= {offer.candidate for offer in offers if offer.callee in about}
        self.notes.append("tests kept wavering, whatever was left out")
        return self._written("", [], {}, len(wavering), findings)

    def _is_judged(self, matrix: KillMatrix) -> bool:
        """Whether a check that noticed nothing had its chance: a busy machine leaves it none.

        Where a module has tests already, what is not known to notice more is written by nobody.
        """
        return self.standing is not None or matrix.judged_share >= _JUDGED_ENOUGH

    def _completed(self, chosen: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """Lines that have to be there anyway say what they come to, where that is short."""
        found = {}
        matches = frozenset(
            self.candidates[place].check(number).match or ""
            for place, numbers in chosen.items()
            for number in numbers
        )
        for place, kept in chosen.items():
            candidate = self.candidates[place]
            firm = [firmly(candidate, number, matches) for number in kept]
            numbers = [
                new if self._holds(new) else old for old, new in zip(kept, firm, strict=True)
            ]
            about = candidate.callee(numbers)
            free = [
                number
                for number in free_checks(candidate, numbers)
                if self._holds(number) and candidate.callee([number]) == about
            ]
            found[place] = tuple(sorted((*numbers, *free)))
        scenarios = {
            place: each.scenario
            for place, each in enumerate(self.candidates)
            if place not in self.wavering and any(self._holds(number) for number in each.numbers)
        }
        for others in companions(scenarios, chosen).values():
            for other in others:
                found[other] = tuple(self.candidates[other].numbers)
        return found

    def _holds(self, number: int) -> bool:
        return self.matrix is None or number in self.matrix.steady

    def _tests(self, chosen: dict[int, tuple[int, ...]]) -> list[Test]:
        known = self.known
        writing = Writing(known.signatures, known.names.constructors, self.ground.file)
        entries = [
            replace(
                entry_of(place, self.candidates[place], some, writing), weight=self._weight(some)
            )
            for place, each in chosen.items()
            for some in by_behaviour(self.candidates[place], each)
        ]
        self.left_out: dict[int, str] = {}
        return arrange(entries, known.parameters, known.order, known.reasons, self.left_out)

    def _settled(self, offers: Sequence[Offer]) -> tuple[dict[int, tuple[int, ...]], list[Test]]:
        """What is chosen, and the tests of it, once what cannot be told well had given way.

        A condition that is lost with its witness may have another one.
        """
        gone: set[int] = set()
        disliked: set[int] = set()
        best: tuple[float, dict[int, tuple[int, ...]], list[Test]] = -1.0, {}, []
        for _ in range(_TURNS):
            chosen = self._completed(choose(_priced(offers, gone, disliked)))
            tests, poor = self._kept(chosen)
            told = {key for test in tests for key in test.keys}
            best = max(best, (self._shown(offers, chosen, told), chosen, tests), key=_first)
            lost, poor = chosen.keys() - told - gone, poor - disliked
            if not (lost or poor) or self._is_late():
                break
            gone |= lost
            disliked |= poor
        return best[1], best[2]

    def _kept(self, chosen: dict[int, tuple[int, ...]]) -> tuple[list[Test], set[int]]:
        """The tests that somebody may keep, and candidates of those that hardly anybody does."""
        tests = self._tests(chosen)
        liking = self.liking(self._page(chosen, tests))
        kept = [test for test in tests if liking.get(test.name, 1.0) >= _UNKEPT]
        poor = [test for test in tests if liking.get(test.name, 1.0) < _DISLIKED]
        return kept, {key for test in poor for key in test.keys}

    def _shown(
        self, offers: Sequence[Offer], chosen: Mapping[int, tuple[int, ...]], told: set[int]
    ) -> float:
        """How much the tests show: mutants, and steps through the module."""
        kills = steps = 0
        for each in offers:
            if each.candidate in told and each.number in chosen[each.candidate]:
                kills |= each.kills
                steps |= each.steps
        return kills.bit_count() + STEP_WORTH * steps.bit_count()

    def _weight(self, numbers: Sequence[int]) -> int:
        matrix = self.matrix
        noticed = (
            [] if matrix is None else [matrix.kills.get(each, frozenset()) for each in numbers]
        )
        return len(frozenset().union(*noticed))

    def _page(self, chosen: dict[int, tuple[int, ...]], tests: Sequence[Test]) -> str:
        if not tests:
            return ""
        told = {key for test in tests for key in test.keys}
        needed = [needs_of(self.candidates[at], each) for at, each in chosen.items() if at in told]
        wanted = combine("", needed)
        habits = self.habits
        heading = Heading(self.subject.module, self.command, habits.framework, habits.is_typed)
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
        is_asked = self.habits.is_typed and not self._is_late()
        return complaints(self.sandbox, self.subject, source) if is_asked else {}

    def _is_late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline - _TYPING_SECONDS

    def _written(
        self,
        source: str,
        tests: Sequence[Test],
        chosen: dict[int, tuple[int, ...]],
        wavering: int,
        findings: tuple[SuspectedBug, ...],
    ) -> Written:
        matrix = self.matrix
        told = {key for test in tests for key in test.keys}
        numbers = [number for key, each in chosen.items() if key in told for number in each]
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
            arcs=frozenset().union(*(arcs[place] for place in chosen if place in told)),
            executions=self.executions,
            notes=tuple(self.notes),
        )


def _priced(offers: Sequence[Offer], gone: set[int], disliked: set[int]) -> list[Offer]:
    """The offers without some, and others dearer."""
    return [
        replace(each, oddness=each.oddness + _DEARER) if each.candidate in disliked else each
        for each in offers
        if each.candidate not in gone
    ]


def _first(found: tuple[float, Any, Any]) -> float:
    return found[0]


def rejected(source: str, objections: Mapping[int, set[str]], tests: Sequence[Test]) -> set[int]:
    """The candidates whose lines mypy rejects: of a table, the row alone."""
    rows = rejected_rows(source, objections)
    return {
        key
        for test in tests
        for row in rows.get(test.name, ())
        for key in ((test.keys[row],) if row is not None and test.table else test.keys)
    }


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
