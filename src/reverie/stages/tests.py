"""Stage A: tests dreamt up for one module, searched for, written, and told as one dream."""

import math
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass

from reverie.dreamers.enrich.front import liking_of
from reverie.dreamers.enrich.naturalising.front import naturalised
from reverie.dreamers.enrich.noticing.front import notice_survivors
from reverie.dreamers.enrich.search.search import Effort, Findings, find_scenarios
from reverie.dreamers.enrich.target import Target as Enriched
from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.enrich.worth import outline_of
from reverie.dreamers.enrich.writing.habits import named_files_alone
from reverie.dreamers.enrich.writing.subject import QUESTION, Standing, SuspectedBug, Written
from reverie.dreamers.enrich.writing.wording.naming import title_of
from reverie.dreamers.enrich.writing.write import write_tests
from reverie.errors import UsageError
from reverie.index.ranking import FoundCoverage, worth_of_tests
from reverie.model.cycle import Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.model.repository.candidate import Ranking
from reverie.model.repository.code import CodeIndex
from reverie.stages.dreamer import Allowance, Example, Stopped, Survey, Target, written
from reverie.stages.grounds import arcs_of, as_report
from reverie.stages.survivors import Effort as Looking
from reverie.stages.survivors import find_survivors

STANDING_SHARE, SEARCHING_SHARE, NATURALISING_SHARE = 0.15, 0.36, 0.16
"""Of the time of a step; the rest is for choosing and writing."""
_MOST_OF_CALL = 80
"""Characters of a call that a finding is named by; a longer one is told below it."""
Rank = Callable[[CodeIndex, FoundCoverage | None], Ranking]


@dataclass(frozen=True, slots=True)
class TestDreamer:
    """Writes tests that notice what no test notices so far."""

    __test__ = False

    rank: Rank | None = None
    """Says which modules need tests most; None for whoever is told a module."""
    name: str = "tests"
    kind: DreamKind = DreamKind.TEST

    def examples(self) -> Iterable[Example]:
        """A function with a border to test, and a module without anything to call."""
        yield Example({"fares.py": _FARES}, "fares.py")
        yield Example({"empty.py": '"""Nothing here."""\n'}, "empty.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Every candidate of the ranking that holds no tests itself."""
        if self.rank is None:
            return ()
        if files := named_files_alone(survey.grounds.folder):
            survey.remarks.append(
                f"no tests are written: pytest is told to look in {', '.join(files)} alone "
                "(testpaths), so that no new file would be run"
            )
            return ()
        index, covered = survey.grounds.index, survey.suite.coverage
        ranking = self.rank(index, None if covered is None else as_report(index, covered))
        survey.remarks.extend(ranking.notes)
        values = {each.path: worth_of_tests(each.factors) for each in ranking.candidates}
        for test in () if covered is None else covered.tests:
            values.pop(test.id.partition("::")[0], None)
        ordered = sorted(values, key=lambda path: (-values[path], path))
        return survey.targets(self.name, {path: values[path] for path in ordered})

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """One dream, or none when nothing was worth keeping."""
        seconds = allowance.budget.seconds
        deadline = None if seconds is None else time.monotonic() + seconds
        try:
            target = _target(survey)
            standing = _standing(survey, allowance)
            if standing is not None and not standing.open_mutants:
                allowance.notes.remark = "its tests notice every planted fault that was tried"
                return
            found = _search_and_write(survey, target, allowance, standing, deadline)
        except UsageError as error:
            allowance.notes.remark = str(error)
            return
        if not found.source or not found.tests:
            allowance.notes.remark = "nothing was found that a test would be worth"
            return
        title = title_of(survey.module, found.source)
        yield written(self, survey, allowance, title, found.path, found.source)


def _standing(survey: Survey, allowance: Allowance) -> Standing | None:
    """What the repository's own tests leave open; None where there are none to ask."""
    coverage = survey.suite.coverage
    if coverage is None or not any(survey.path in each.lines for each in coverage.tests):
        return None
    seconds = allowance.budget.seconds
    share = math.inf if seconds is None else STANDING_SHARE * seconds
    found = find_survivors(survey, Looking(share))
    if found is None or not found.judged:
        return None
    numbers = frozenset(each.mutant.number for each in found.alive)
    allowance.notes.figures.update(asked=float(found.judged), open=float(len(numbers)))
    return Standing(numbers, arcs_of(coverage, survey.path))


def _target(survey: Survey) -> Enriched:
    """By its path; by its name where its folder is a package without a front."""
    folder, python = survey.grounds.folder, survey.grounds.interpreter.path
    place = folder / survey.path
    if "." in survey.module and not (place.parent / "__init__.py").is_file():
        with suppress(UsageError):
            found = find_target(survey.module, folder, python)
            if found.path == os.path.abspath(place):
                return found
    return find_target(str(place), folder, python)


def _search_and_write(
    survey: Survey,
    target: Enriched,
    allowance: Allowance,
    standing: Standing | None,
    deadline: float | None,
) -> Written:
    seed, notes = allowance.seed, allowance.notes
    seconds = None if deadline is None else max(deadline - time.monotonic(), 0.0)
    effort = Effort(
        seconds=None if seconds is None else SEARCHING_SHARE * seconds,
        tries=allowance.budget.executions,
        seed=seed,
        workers=1,
    )
    spent = None if seconds is None else NATURALISING_SHARE * seconds

    def search() -> Findings:
        found = find_scenarios(survey.sandbox, target, effort)
        if allowance.is_stopped():
            raise Stopped
        return found

    natural = naturalised(survey.sandbox, target, search, spent, seed)
    found = natural.findings
    tests = write_tests(
        survey.sandbox,
        target,
        natural.findings.scenarios,
        deadline=deadline,
        command=f"reverie enrich {survey.module} --seed {seed}",
        must_notice=True,
        more=lambda survivors, seconds: notice_survivors(
            survey.sandbox, target, natural, survivors, seconds, seed
        ),
        taste=natural.taste,
        standing=standing,
        liking=liking_of(target),
    )
    run = outline_of(target.source).covered(tests.arcs | found.import_arcs)
    notes.figures.update(_figures(tests), line_coverage=run.lines)
    notes.executions += found.tries + tests.executions
    notes.sightings.extend(_sighting(each) for each in tests.findings)
    return tests


def _sighting(bug: SuspectedBug) -> Sighting:
    details = {name: value for name, value in asdict(bug).items() if name != "module"}
    known_as = Sighting(bug.module, f"{bug.function}: {bug.actual}"[:300])
    call = bug.input if len(bug.input) <= _MOST_OF_CALL and ";" not in bug.input else bug.function
    if bug.actual.startswith(f"{bug.kind}: "):
        title = f"{call} raises {bug.actual}"[:300]
        return Sighting(bug.module, title, {**details, "signature": known_as.signature})
    title = f"{call} returns {bug.actual}"[:300]
    if bug.kind == QUESTION:
        title = f"is {bug.function} meant to be called like this: {bug.input}"[:300]
        return Sighting(bug.module, title, {**details, "signature": known_as.signature})
    # Whichever value shows it, it is one finding. What a person said of a value stays in force.
    symptom = Sighting(bug.module, f"{bug.function}: {bug.kind}")
    ids = {"signature": symptom.signature, "formerly": known_as.signature}
    return Sighting(bug.module, title, {**details, **ids})


def _figures(written: Written) -> dict[str, float]:
    found = {
        "tests": written.tests,
        "lines": written.lines,
        "flaky_removed": written.flaky_removed,
        "mutants": written.mutants,
        "killed": written.killed,
    }
    return {name: float(value) for name, value in found.items() if value is not None}


_FARES = """def fare(age: int) -> int:
    if age < 6:
        return 0
    if age >= 65:
        return 5
    return 10
"""
