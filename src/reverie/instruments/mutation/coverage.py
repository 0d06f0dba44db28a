"""The coverage map of a project: which test runs which line, made anew only after a change."""

from typing import Any

from reverie.errors import MachineryError
from reverie.instruments.mutation.answers import read_baseline
from reverie.instruments.mutation.cache import Contents, VerdictCache, digest
from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.project import Project
from reverie.model.mutation import CoverageMap

_WORDS = 600


def measure_coverage(far: FarSide, cache: VerdictCache) -> CoverageMap:
    """The map for what sources and tests say now; `MachineryError` when no test passes."""
    coverage = look_at_tests(far, cache)
    _require_a_passing_test(coverage)
    return coverage


def look_at_tests(far: FarSide, cache: VerdictCache, fewer: Project | None = None) -> CoverageMap:
    """The map, whatever became of the tests.

    Tests that the cache knows from `fewer`, the same project without some test files, are run for
    how they end; what they run is taken over.
    """
    root, key = far.project.root, _key(far.project, far)
    known = cache.find_map(key)
    if known is not None:
        return read_baseline(known, root)
    before = None if fewer is None else cache.find_map(_key(fewer, far))
    names = () if before is None else [each["id"] for each in before["tests"]]
    answer = far.baseline(names)
    coverage = read_baseline(answer, root)
    if before is not None:
        answer = _with_known(answer, before)
        coverage = read_baseline(answer, root)
    cache.add_map(key, answer, root)
    return coverage


def _key(project: Project, far: FarSide) -> str:
    return digest(Contents(project).of_project, far.looks_alone)


def _with_known(answer: Any, before: Any) -> Any:
    """An answer with what is known of its tests, as far as they have ended as before."""
    known = {each["id"]: each for each in before["tests"]}
    tests = [
        known[each["id"]] if known.get(each["id"], {}).get("outcome") == each["outcome"] else each
        for each in answer["tests"]
    ]
    return {**answer, "tests": tests}


def _require_a_passing_test(coverage: CoverageMap) -> None:
    if not coverage.tests:
        reasons = "; ".join(f"{name}: {why.strip()[-200:]}" for name, why in coverage.broken)
        raise MachineryError(f"no test was collected. {reasons}"[:_WORDS])
    if not any(test.outcome == "passed" for test in coverage.tests):
        first = coverage.tests[0]
        raise MachineryError(
            f"no test passes on the unchanged code; {first.id}: {first.reason}"[:_WORDS]
        )
