"""What a repository is worth before any dream: its suite, its coverage, its best targets."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.dreamers.enrich.coverage import outline_of
from reverie.errors import MachineryError, SandboxLost, UsageError
from reverie.index.coverage.raw import RawCoverage, RawFile
from reverie.index.ranking import FoundCoverage
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.coverage import look_at_tests
from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.project import find_project
from reverie.model.code import CodeIndex
from reverie.model.mutation import CoverageMap
from reverie.sandbox.engine import Sandbox

NAMES_SHOWN = 50


@dataclass(frozen=True, slots=True)
class SuiteMeasured:
    """The suite of the unchanged repository; no coverage where it has no tests."""

    coverage: CoverageMap | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ModuleCovered:
    """How much of one module a suite runs."""

    lines: int
    lines_run: float
    branches: int
    branches_taken: float


def covered_by(
    suite: SuiteMeasured, folder: Path, paths: Mapping[str, str]
) -> Mapping[str, ModuleCovered]:
    """By module; empty where no suite could be measured."""
    found: dict[str, ModuleCovered] = {}
    for module, path in paths.items() if suite.coverage is not None else ():
        try:
            outline = outline_of((folder / path).read_text("utf-8-sig"))
        except (OSError, ValueError, SyntaxError):
            continue  # a module that cannot be read has no figures
        share = outline.covered(_arcs(suite.coverage, path))
        lines, ways = len(outline.lines), 2 * len(outline.branches)
        found[module] = ModuleCovered(lines, share.lines * lines, ways, share.branches * ways)
    return found


def figures_of(suite: SuiteMeasured, covered: Mapping[str, ModuleCovered]) -> Mapping[str, Any]:
    """What a suite is worth; what was not measured is None."""
    coverage = suite.coverage
    tests = () if coverage is None else coverage.tests
    failing = [test.id for test in tests if test.outcome == "failed"]
    parts = covered.values()
    return {
        "tests": len(tests),
        "passed": sum(test.outcome == "passed" for test in tests),
        "failed": len(failing),
        "failing": failing[:NAMES_SHOWN],
        "broken_files": [] if coverage is None else [name for name, _ in coverage.broken],
        "line_coverage": _share(sum(p.lines_run for p in parts), sum(p.lines for p in parts)),
        "branch_coverage": _share(
            sum(p.branches_taken for p in parts), sum(p.branches for p in parts)
        ),
        "covered": {
            module: {
                "lines": _share(each.lines_run, each.lines),
                "branches": _share(each.branches_taken, each.branches),
            }
            for module, each in covered.items()
        },
        "problem": suite.problem,
    }


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 6) if whole else None


def _arcs(coverage: CoverageMap | None, path: str) -> frozenset[tuple[int, int]]:
    if coverage is None:
        return frozenset()
    at_import = coverage.import_arcs.get(path, frozenset())
    return at_import.union(*(test.arcs.get(path, frozenset()) for test in coverage.tests))


def as_report(index: CodeIndex, coverage: CoverageMap) -> FoundCoverage:
    """The lines that a suite runs, as a ranking reads them."""
    files = {module.path: RawFile(coverage.lines_of(module.path), None) for module in index.modules}
    return FoundCoverage(RawCoverage(files), "measured")


def measure_suite(
    sandbox: Sandbox, folder: Path, python: str | None, seconds: float, cache: Path | None
) -> SuiteMeasured:
    """Run the suite once. One that cannot be run is no failure of ours: it is said."""
    try:
        project = find_project(folder, python=python)
        far = FarSide(
            sandbox, project, exhaustive=False, baseline_seconds=seconds, looks_alone=False
        )
        return SuiteMeasured(look_at_tests(far, VerdictCache(cache)))
    except SandboxLost:
        raise
    except (UsageError, MachineryError) as error:
        return SuiteMeasured(None, str(error))
