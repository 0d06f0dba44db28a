"""The coverage map of a project: which test runs which line, made anew only after a change."""

from reverie.errors import MachineryError
from reverie.instruments.mutation.answers import read_baseline
from reverie.instruments.mutation.cache import Contents, VerdictCache, digest
from reverie.instruments.mutation.far import FarSide
from reverie.model.mutation import CoverageMap

_WORDS = 600


def measure_coverage(far: FarSide, cache: VerdictCache) -> CoverageMap:
    """The map for what sources and tests say now; `MachineryError` when no test passes."""
    coverage = look_at_tests(far, cache)
    _require_a_passing_test(coverage)
    return coverage


def look_at_tests(far: FarSide, cache: VerdictCache) -> CoverageMap:
    """The map, whatever became of the tests."""
    key = digest(Contents(far.project).of_project, far.looks_alone)
    known = cache.find_map(key)
    answer = far.baseline() if known is None else known
    coverage = read_baseline(answer, far.project.root)
    if known is None:
        cache.add_map(key, answer, far.project.root)
    return coverage


def _require_a_passing_test(coverage: CoverageMap) -> None:
    if not coverage.tests:
        reasons = "; ".join(f"{name}: {why.strip()[-200:]}" for name, why in coverage.broken)
        raise MachineryError(f"no test was collected. {reasons}"[:_WORDS])
    if not any(test.outcome == "passed" for test in coverage.tests):
        first = coverage.tests[0]
        raise MachineryError(
            f"no test passes on the unchanged code; {first.id}: {first.reason}"[:_WORDS]
        )
