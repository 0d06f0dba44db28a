"""What a repository is worth before any dream: its suite, its coverage, its best targets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.cycle.grounds import Grounds
from reverie.cycle.sources import source_hashes
from reverie.cycle.workshop import Survey, Target
from reverie.errors import MachineryError, SandboxLost, UsageError
from reverie.index.coverage.raw import RawCoverage, RawFile
from reverie.index.ranking import FoundCoverage
from reverie.instruments.mutation.answers import read_baseline
from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.project import find_project
from reverie.model.candidate import Ranking
from reverie.model.code import CodeIndex
from reverie.model.mutation import CoverageMap
from reverie.sandbox.engine import Sandbox

NAMES_SHOWN = 50
Rank = Callable[[CodeIndex, FoundCoverage | None], Ranking]


@dataclass(frozen=True, slots=True)
class SuiteMeasured:
    """The suite of the unchanged repository; no coverage where it has no tests."""

    coverage: CoverageMap | None
    problem: str | None = None


def survey_grounds(grounds: Grounds, suite: SuiteMeasured, rank: Rank, dreamer: str) -> Survey:
    """The baseline, and every candidate with what its dreams depend on, best first."""
    ranking = rank_grounds(grounds, suite, rank)
    hashes = source_hashes(grounds.index, str(grounds.interpreter.path))
    targets = tuple(
        Target(dreamer, each.module, each.path, hashes[each.module], each.value)
        for each in ranking.candidates
    )
    return Survey(targets, figures_of(suite, ranking))


def rank_grounds(grounds: Grounds, suite: SuiteMeasured, rank: Rank) -> Ranking:
    """The candidates, with what the suite runs of each."""
    found = None if suite.coverage is None else _as_report(grounds.index, suite.coverage)
    return rank(grounds.index, found)


def figures_of(suite: SuiteMeasured, ranking: Ranking) -> Mapping[str, Any]:
    """What a suite is worth; what was not measured is None."""
    coverage = suite.coverage
    tests = () if coverage is None else coverage.tests
    failing = [test.id for test in tests if test.outcome == "failed"]
    covered = [each.coverage for each in ranking.candidates if each.coverage is not None]
    lines = sum(len(each.executed) + len(each.missing) for each in covered)
    executed = sum(len(each.executed) for each in covered)
    return {
        "tests": len(tests),
        "passed": sum(test.outcome == "passed" for test in tests),
        "failed": len(failing),
        "failing": failing[:NAMES_SHOWN],
        "broken_files": [] if coverage is None else [name for name, _ in coverage.broken],
        "line_coverage": executed / lines if lines else None,
        "covered": {
            each.module: each.coverage.share
            for each in ranking.candidates
            if each.coverage is not None
        },
        "modules": len(ranking.candidates),
        "problem": suite.problem,
        "notes": list(ranking.notes),
    }


def _as_report(index: CodeIndex, coverage: CoverageMap) -> FoundCoverage:
    files = {module.path: RawFile(coverage.lines_of(module.path), None) for module in index.modules}
    return FoundCoverage(RawCoverage(files), "measured")


def measure_suite(
    sandbox: Sandbox, folder: Path, python: str | None, seconds: float
) -> SuiteMeasured:
    """Run the suite once. One that cannot be run is no failure of ours: it is said."""
    try:
        project = find_project(folder, python=python)
        far = FarSide(sandbox, project, exhaustive=False, baseline_seconds=seconds)
        return SuiteMeasured(read_baseline(far.baseline(), project.root))
    except SandboxLost:
        raise
    except (UsageError, MachineryError) as error:
        return SuiteMeasured(None, str(error))
