"""Controls of a campaign: planted mutants, sham mutants, and verdicts made again.

Planted are one mutant that has to be killed and one that changes nothing, on both ways.

Shams are changed files that do what they did: a test that fails on one looks at the code. Whatever
runs beside the tests, a conftest above all, can make them fail on every changed file, and every
mutant would count as noticed. It cannot know which changes change nothing.

A second look judges in a process that has imported everything anew.
"""

import ast
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from reverie.errors import InstrumentUnproven, MachineryError, SilentTests
from reverie.instruments.mutation.inside.sites import CHANGES_NOTHING, RAISES
from reverie.instruments.mutation.mutant_texts import changed_source, source_of
from reverie.instruments.mutation.program import PLANTED
from reverie.instruments.mutation.sandbox_side import FarSide, Order, SliceResult
from reverie.model.measurements.suite import (
    Agreement,
    CoverageMap,
    JudgedMutant,
    Mutant,
    MutantVerdict,
    without_tests,
)
from reverie.syntax.nodes import Function, is_bare_constant
from reverie.syntax.parsing import parse_module

_ATTEMPTS = 12
_CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class ProvenInPlace:
    """A coverage map whose tests can be believed, and what was judged while that was seen."""

    coverage: CoverageMap
    unstable: tuple[str, ...] = ()
    """Tests that it has no longer: they fail on unchanged code in a fork."""
    beside: tuple[SliceResult, ...] = ()
    """What was said of the mutants beside the plants."""


def prove_in_place(
    far: FarSide,
    coverage: CoverageMap,
    beside: Sequence[Order] = (),
    seconds: float = math.inf,
) -> ProvenInPlace:
    """The coverage map without tests that fail on unchanged code in a fork.

    Raises `MachineryError` unless a planted failure is seen and unchanged code passes, on the
    way of a call and on the way of an import. Without forks, or where code cannot be imported a
    second time in one, fresh processes are asked. Mutants `beside` the plants share their process;
    what is said of them counts if it needed no second look at the tests.
    """
    if not far.has_forks:
        return ProvenInPlace(_prove_afresh(far, coverage))
    unstable: list[str] = []
    for _ in range(_ATTEMPTS):
        plants = [each for each in _plants(coverage) if far.imports_in_forks or not each.at_import]
        if not plants:
            raise SilentTests(
                "no test runs a line of the code to mutate, so all of it is weak: `reverie enrich "
                "MODULE` writes tests for it; if it has some elsewhere, name them: --tests"
            )
        longest = min(far.baseline_seconds, seconds) if beside else far.baseline_seconds
        try:
            orders = [*plants, *beside]
            answer = far.serve(orders, coverage, kills={}, alone=(), seconds=longest)
        except MachineryError:
            if not beside:
                raise
            beside = ()  # one of them takes the others along
            continue
        seen = {result.key: result for result in answer.results}
        blamed = [
            seen[plant.mutant.id]
            for plant in plants
            if plant.mutant.number == CHANGES_NOTHING
            and plant.mutant.id in seen
            and seen[plant.mutant.id].verdict != "survived"
        ]
        if not blamed:
            if beside and not all(plant.mutant.id in seen for plant in plants):
                beside = ()  # they left no time for what is planted
                continue
            if not _is_seen(plants, seen, at_import=True) and far.imports_in_forks:
                # A plug-in of pytest is imported before anything is watched: only anew.
                far.imports_in_forks = False
                coverage = _prove_afresh(far, coverage)
                continue
            _require_kills(plants, seen)
            asked = frozenset(each.mutant.id for each in beside)
            results = tuple(each for each in answer.results if each.key in asked)
            return ProvenInPlace(coverage, tuple(unstable), results)
        beside = ()
        if blamed[0].test < 0:
            if blamed[0].verdict == "unfit":
                raise MachineryError(
                    "tests that were run are not there when they are collected again"
                )
            if not far.imports_in_forks:
                raise MachineryError("unchanged code cannot be run a second time in a fork")
            # Code that knows itself by its objects, say a registry: fresh processes import it.
            far.imports_in_forks = False
            coverage = _prove_afresh(far, coverage)
            continue
        name = coverage.usable[blamed[0].test].id
        unstable.append(name)
        coverage = without_tests(coverage, frozenset({name}), "fails when run again in a fork")
    raise MachineryError(f"tests keep failing on unchanged code: {', '.join(unstable)[:400]}")


def _require_kills(plants: list[Order], seen: Mapping[str, SliceResult]) -> None:
    """Of the planted failures on each way, one at least has to be noticed."""
    for at_import in (True, False):
        if not _is_seen(plants, seen, at_import=at_import):
            way = "import" if at_import else "call"
            told = {_verdict(each, seen) for each in _failing(plants, at_import=at_import)}
            found = ", ".join(sorted(told))
            raise InstrumentUnproven(
                "mutation", f"a planted mutant was not killed ({way}): {found}"
            )


def _is_seen(plants: list[Order], seen: Mapping[str, SliceResult], *, at_import: bool) -> bool:
    """Whether a planted failure was noticed on one way, if any was planted there."""
    failing = _failing(plants, at_import=at_import)
    return not failing or any(_verdict(each, seen) in ("killed", "timeout") for each in failing)


def _failing(plants: list[Order], *, at_import: bool) -> list[Order]:
    return [each for each in plants
            if each.mutant.number == RAISES and each.at_import is at_import]  # fmt: skip


def _verdict(plant: Order, seen: Mapping[str, SliceResult]) -> str:
    found = seen.get(plant.mutant.id)
    return "none" if found is None else found.verdict


def _plants(coverage: CoverageMap) -> Iterator[Order]:
    everything = tuple(range(len(coverage.usable)))
    imported = next((file for file, functions in coverage.imports.items() if functions), None)
    if imported is not None:
        yield _plant(imported, None, CHANGES_NOTHING, everything, at_import=True)
        yield _plant(imported, None, RAISES, everything, at_import=True)
    called = list(_called(coverage))[:_CANDIDATES]
    for file, unit, tests in called:
        yield _plant(file, unit, RAISES, tests, at_import=False)
    if called:
        yield _plant(called[0][0], called[0][1], CHANGES_NOTHING, everything, at_import=False)


def _called(coverage: CoverageMap) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Functions that tests call and imports do not, with those tests."""
    reached: dict[tuple[str, str], list[int]] = {}
    for place, test in enumerate(coverage.usable):
        for file, functions in test.lines.items():
            for name in functions:
                if "<" not in name and name not in coverage.imports.get(file, {}):
                    reached.setdefault((file, name), []).append(place)
    ordered = sorted(reached.items(), key=lambda each: -len(each[1]))
    for (file, name), tests in ordered:
        yield file, name, tuple(tests)


def _plant(
    file: str, unit: str | None, number: int, tests: tuple[int, ...], *, at_import: bool
) -> Order:
    kind = "nothing" if number == CHANGES_NOTHING else "raises"
    name = f"{file}::{unit or '<module>'}::planted_{kind}::{int(at_import)}"
    mutant = Mutant(name, file, 0, f"planted_{kind}", unit or "", unit, 0, 0, 0, 0, "", number)
    return Order(mutant, at_import, tests)


def _prove_afresh(far: FarSide, coverage: CoverageMap) -> CoverageMap:
    unchanged = far.afresh(None, None, coverage)
    if unchanged is None or unchanged.is_killed:
        killer = None if unchanged is None else unchanged.killer
        raise MachineryError(
            f"unchanged code fails in a fresh process: {killer or 'no test named'}"
        )
    for file in coverage.imports:
        source = f"raise RuntimeError({PLANTED!r})\n"
        seen = far.afresh(file, source, coverage)
        if seen is not None and seen.is_killed:
            return coverage
    raise InstrumentUnproven("mutation", "a planted mutant was not killed in a fresh process")


_IDLE = ("{} == {}; ", "{} < {}; ", "[{}, {}]; ", "{{{}: {}}}; ", "{} in ({},); ")
"""Statements that change the code and nothing else, in shapes that nobody can wait for."""
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Expr, ast.Raise, ast.Assert)
_SECONDS = 60.0
SHAMS = 3
"""How many are asked about where nobody says more."""
_LOOKS = 3
"""So many tests in a row that fail on shams, and it is not the tests: nothing is believed."""
_NOTICED = frozenset({"killed", "timeout", "died"})


@dataclass(frozen=True, slots=True)
class ShamAnswer:
    """Which tests fail on a change that changes nothing, and why no verdict can be believed."""

    pinned: tuple[str, ...] = ()
    void: str | None = None


def look_at_shams(
    far: FarSide, coverage: CoverageMap, judged: Iterable[JudgedMutant], most: int
) -> ShamAnswer:
    """Ask fresh processes about shams of functions whose mutants were noticed."""
    noticed = [each for each in judged if each.verdict is MutantVerdict.KILLED]
    shams = dict(_shams(far.project.root, noticed, most))
    pinned: list[str] = []
    while shams and far.has_forks:
        answer = far.afresh_many(shams, coverage, _SECONDS)
        failed = [each for each in answer.results if each.verdict in _NOTICED]
        if not failed:
            break
        names = [coverage.usable[each.test].id for each in failed if each.test >= 0]
        if not names:
            return ShamAnswer(tuple(pinned), "tests cannot be run on a change that changes nothing")
        pinned += dict.fromkeys(names)
        coverage = without_tests(coverage, frozenset(pinned), "looks at the code")
        if len(pinned) >= _LOOKS or not coverage.usable:
            said = "one test after another fails on changes that change nothing: "
            return ShamAnswer(tuple(pinned), said + ", ".join(pinned[:_LOOKS]))
    return ShamAnswer(tuple(pinned))


def disbelieve(judged: Iterable[JudgedMutant], answer: ShamAnswer) -> Iterator[JudgedMutant]:
    """The verdicts that rest on tests which look at the code, taken back."""
    for each in judged:
        if each.verdict.is_detected and each.killer in answer.pinned:
            said = f"{each.killer} fails on changes that change nothing"
            yield replace(each, verdict=MutantVerdict.ERROR, killer=None, reason=said)


def _shams(
    root: str, noticed: list[JudgedMutant], most: int
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Changed files, each under the name of a mutant of the same function: nothing tells them."""
    chance = random.SystemRandom()
    chance.shuffle(noticed)
    seen: set[tuple[str, str | None]] = set()
    for each in noticed:
        mutant = each.mutant
        place = mutant.file, mutant.unit
        if mutant.unit is None or place in seen or len(seen) >= most:
            continue
        text = sham_of(source_of(root, mutant.file).decode("utf-8", "replace"), mutant.line, chance)
        if text is not None:
            seen.add(place)
            yield mutant.id, (mutant.file, text)


def sham_of(source: str, line: int, chance: random.Random) -> str | None:
    """A file with an idle statement before one of the function around a line.

    Lines stay where they are; None where no statement of the function stands on a line of its own.
    """
    inner = [
        node
        for node in ast.walk(parse_module(source))
        if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    for node in sorted(inner, key=lambda each: each.lineno, reverse=True):
        for statement in node.body:
            is_words = is_bare_constant(statement)
            if isinstance(statement, _SIMPLE) and not is_words:
                return _put_before(source, statement, chance)
    return None


def _put_before(source: str, statement: ast.stmt, chance: random.Random) -> str | None:
    lines = source.split("\n")
    text = lines[statement.lineno - 1].encode()
    before, after = text[: statement.col_offset], text[statement.col_offset :]
    if before.strip():
        return None  # behind a colon or another statement
    numbers = chance.randrange(1, 10**6), chance.randrange(1, 10**6)
    idle = chance.choice(_IDLE).format(*numbers)
    lines[statement.lineno - 1] = (before + idle.encode() + after).decode("utf-8", "replace")
    return "\n".join(lines)


_BATCH = 24
_BATCH_SECONDS = 60.0
Verdicts = dict[str, tuple[MutantVerdict | None, str | None]]


def look_again(
    far: FarSide,
    coverage: CoverageMap,
    chosen: Mapping[str, JudgedMutant],
    tell: Callable[[Agreement], None],
    workers: int,
) -> Iterator[JudgedMutant]:
    """The mutants that come out otherwise, with the verdict of the fresh process."""
    checked, undecided = 0, 0
    different: list[str] = []
    keys = list(chosen)
    batches = [keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]

    def judge(batch: Sequence[str]) -> Verdicts:
        return _judge(far, coverage, [chosen[key] for key in batch])

    pool = ThreadPoolExecutor(workers)
    try:
        for verdicts in pool.map(judge, batches):
            for key, (verdict, killer) in verdicts.items():
                before = chosen[key].verdict
                checked += 1
                if verdict is None or (verdict is MutantVerdict.TIMEOUT and not before.is_detected):
                    undecided += 1
                elif verdict.is_detected != before.is_detected:
                    different.append(key)
                    yield replace(chosen[key], verdict=verdict, killer=killer)
            tell(Agreement(checked, tuple(different), undecided))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # an interrupt waits for nobody


def _judge(far: FarSide, coverage: CoverageMap, judged: Sequence[JudgedMutant]) -> Verdicts:
    """Verdicts of fresh processes; None where there is none."""
    root = far.project.root
    left = {
        each.mutant.id: (each.mutant.file, changed_source(root, each.mutant)) for each in judged
    }
    found: Verdicts = {}
    usable = coverage.usable
    while left and far.has_forks:
        try:
            answer = far.afresh_many(left, coverage, _BATCH_SECONDS)
        except MachineryError:
            break  # one of them takes the others along: one by one, then
        for result in answer.results:
            left.pop(result.key, None)
            killer = usable[result.test].id if 0 <= result.test < len(usable) else None
            known = result.verdict in list(MutantVerdict)
            found[result.key] = (MutantVerdict(result.verdict) if known else None), killer
        if not answer.results:
            break
    for key, (file, source) in left.items():
        alone = far.afresh(file, source, coverage)
        if alone is None:
            found[key] = MutantVerdict.TIMEOUT, None
        else:
            verdict = MutantVerdict.KILLED if alone.is_killed else MutantVerdict.SURVIVED
            found[key] = verdict, alone.killer
    return found
