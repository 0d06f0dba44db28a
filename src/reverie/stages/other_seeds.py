"""The suite under other seeds: tests that come and go, seen before anybody has to wait for them.

A repository's past shows such a test only where its runs differed. Here each run has a hash seed
and a seed of chance of its own, in the usual order; what failed in one is run once more under
the same seeds, and only a test that fails again there, and passes again elsewhere, is told.
"""

import shutil
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from reverie.errors import UsageError
from reverie.instruments.mutation.project import Project, find_project
from reverie.instruments.suite.instrument import run_tests
from reverie.model.measurements.suite import Conditions, CoverageMap, TestEnd, TestRun
from reverie.promotion.scratch import scratch_folder
from reverie.sandbox.engine import Sandbox
from reverie.stages.dreamer import Survey

SECONDS = 20.0
"""Of the suite, for all runs together: a suite that takes longer is not repeated."""
MOST_RUNS, FEWEST_RUNS = 8, 3
_START_SECONDS = 1.0
"""Of a run besides its tests: each hash seed needs an interpreter of its own."""
_REAL_CLOCK = "0"
_PATIENCE = 3.0
_IGNORED = shutil.ignore_patterns(".git", ".reverie", "__pycache__", "*.pyc")


@dataclass(frozen=True, slots=True)
class SeedDependent:
    """A test that fails under some seeds and passes under others, each twice."""

    test: str
    failed: int
    runs: int
    reason: str
    seed: int
    """One of those under which it fails."""


def how_often(coverage: CoverageMap) -> int:
    """Runs that fit; 0 where they would be too few to tell anything."""
    once = coverage.collect_seconds + sum(each.cpu_seconds for each in coverage.tests)
    fitting = min(int(SECONDS / (once + _START_SECONDS)), MOST_RUNS)
    return fitting if fitting >= FEWEST_RUNS else 0


def find_seed_dependent(survey: Survey) -> tuple[SeedDependent, ...]:
    """Tests of a short suite that pass under some seeds, and fail under others."""
    coverage = survey.suite.coverage
    count = 0 if coverage is None else how_often(coverage)
    if coverage is None or not count:
        return ()
    files = {_file(each.id) for each in coverage.tests}
    with scratch_folder(avoid=survey.grounds.repository) as scratch:
        tree = scratch / "seeds"
        shutil.copytree(survey.grounds.folder, tree, symlinks=True, ignore=_IGNORED)
        try:
            project = find_project(tree, python=survey.grounds.interpreter.path)
        except UsageError:
            return ()
        found = _wavering(_runs(survey.sandbox, project, files, set(range(1, count + 1))))
        return tuple(_still(survey.sandbox, project, found))


@dataclass(frozen=True, slots=True)
class _Seen:
    """A test with a run that it failed in, and one that it passed in."""

    told: SeedDependent
    passed_with: int


def _runs(
    sandbox: Sandbox, project: Project, files: Set[str], seeds: Set[int]
) -> tuple[TestRun, ...]:
    asked = [
        Conditions(f"seed {each}", each, _REAL_CLOCK, is_order_random=False, hash_seed=each)
        for each in sorted(seeds)
    ]
    heard = run_tests(sandbox, project, sorted(files), asked, _PATIENCE * SECONDS).heard
    return tuple(each for each in heard if each.saw_plant)


def _wavering(runs: Sequence[TestRun]) -> tuple[_Seen, ...]:
    found = []
    for test in sorted({name for run in runs for name in run.ends}):
        failed = [each for each in runs if each.ends.get(test) is TestEnd.FAILED]
        passed = [each for each in runs if each.ends.get(test) is TestEnd.PASSED]
        if failed and passed:
            (first, *_), both = failed, len(failed) + len(passed)
            seed, reason = first.conditions.seed, _said(first.reasons.get(test, ""))
            told = SeedDependent(test, len(failed), both, reason, seed)
            found.append(_Seen(told, passed[0].conditions.seed))
    return tuple(found)


def _still(sandbox: Sandbox, project: Project, found: Sequence[_Seen]) -> Iterator[SeedDependent]:
    """Those that seeds decide: what load or a slow disk did once does not come again."""
    if not found:
        return
    seeds = {seed for each in found for seed in (each.told.seed, each.passed_with)}
    runs = _runs(sandbox, project, {_file(each.told.test) for each in found}, seeds)
    ends = {each.conditions.seed: each.ends for each in runs}
    for each in found:
        test, failing, passing = each.told.test, each.told.seed, each.passed_with
        if failing in ends and passing in ends:
            both = (ends[failing].get(test), ends[passing].get(test))
            if both == (TestEnd.FAILED, TestEnd.PASSED):
                yield each.told


def _said(reason: str) -> str:
    """What pytest marks as the error, if that was not cut off; else the end."""
    lines = reason.splitlines() or [""]
    marked = (each[1:].strip() for each in lines if each.startswith("E "))
    return next(marked, lines[-1])


def _file(test: str) -> str:
    return test.partition("::")[0]
