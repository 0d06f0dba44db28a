"""Tools for work under way: the tests that reach it, and what they run of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from reverie.errors import UsageError
from reverie.interfaces.mcp.answers import Coverage, FunctionCoverage, RanTest, TestsRun
from reverie.interfaces.mcp.code_tools import LOOKS, Detail
from reverie.interfaces.mcp.copies import Checkout, Patch, change_of, open_work
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress

if TYPE_CHECKING:
    from reverie.instruments.suite.plain import PlainRun
    from reverie.model.measurements.suite import TestLook
    from reverie.model.repository.code import CodeIndex, Function

_MOST_TESTS = 200


def add_work_tools(server: MCPServer[Any], desk: Desk) -> None:
    """The tools that an agent uses between two edits."""
    for tool in (_tests_tool, _coverage_tool):
        tool(server, desk)


def _tests_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Run the tests that reach the work", annotations=LOOKS)
    async def run_tests(
        ctx: Ctx,
        path: Annotated[str | None, Field(description="Source file whose tests to run")] = None,
        tests: Annotated[
            list[str] | None, Field(description="Test files or ids; else those that reach the work")
        ] = None,
        patch: Patch = None,
        checkout: Checkout = None,
        budget_seconds: Annotated[float, Field(gt=0, le=3600, description="Time for it")] = 120.0,
        detail: Detail = False,
    ) -> TestsRun:
        """Run tests on a copy of the work, in the sandbox, with the repository's interpreter.

        Without `tests`: those that import `path`, or without it whatever is changed since HEAD.
        """

        def job(progress: Progress) -> TestsRun:
            wanted = _Wanted(path, tuple(tests or ()), patch, checkout, budget_seconds)
            return _run_tests(desk, wanted, progress)

        return await desk.work(ctx, job)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which tests of which work."""

    path: str | None
    tests: tuple[str, ...]
    patch: str | None
    checkout: str | None
    seconds: float


def _run_tests(desk: Desk, wanted: _Wanted, progress: Progress) -> TestsRun:
    from reverie.bootstrap import open_sandbox
    from reverie.instruments.mutation.project import find_project
    from reverie.instruments.suite.plain import run_plainly

    began = time.monotonic()
    around = desk.surroundings()
    progress.tell("choosing tests", 0, 0)
    with open_work(desk, around, wanted.patch, wanted.checkout) as folder:
        tests, why = _chosen_tests(desk, wanted, folder)
        if not tests:
            return _not_run(why, began)
        project = find_project(folder, python=around.python)
        files = sorted({each.partition("::")[0] for each in tests})
        progress.tell(f"running {len(files)} test files", 0, 0)
        with open_sandbox(desk.loaded.settings.sandbox) as sandbox:
            found = run_plainly(sandbox, project, tests, files, wanted.seconds)
    if found.silence is not None:
        return _not_run(found.silence, began, files, why)
    return _ran(found, files, why, time.monotonic() - began)


def _ran(found: PlainRun, files: list[str], why: str, seconds: float) -> TestsRun:
    ends = [str(each) for each in found.ends.values()]
    failures = [
        RanTest(
            test="::".join((place[0].replace(".", "/"), place[1])),
            end=str(end),
            reason=" ".join(found.reasons.get(place, "").split())[:400],
        )
        for place, end in found.ends.items()
        if str(end) not in ("passed", "skipped")
    ]
    return TestsRun(
        passed=ends.count("passed"),
        failed=len(failures),
        skipped=ends.count("skipped"),
        files=files,
        why=why,
        failures=failures,
        problem=None,
        seconds=round(seconds, 3),
        next="mend the first failure and run again" if failures else "ask check for the verdict",
    )


def _not_run(why: str, began: float, files: list[str] | None = None, chosen: str = "") -> TestsRun:
    return TestsRun(
        passed=0,
        failed=0,
        skipped=0,
        files=files or [],
        why=chosen,
        failures=[],
        problem=" ".join(why.split()),
        seconds=round(time.monotonic() - began, 3),
        next="mend what the problem says, or name `tests`; `reverie prepare --yes` on the machine "
        "makes an environment that has what is declared",
    )


def _chosen_tests(desk: Desk, wanted: _Wanted, folder: Path) -> tuple[list[str], str]:
    """Tests as asked for, or those whose files import what is worked on."""
    if wanted.tests:
        for each in wanted.tests:
            inside = (folder / each.partition("::")[0]).resolve()
            if not inside.is_relative_to(folder.resolve()) or not inside.exists():
                raise UsageError(f"tests: {each!r} is not there; name files as `git ls-files` does")
        return list(wanted.tests), "asked for"
    index = desk.index_of(folder)
    if wanted.path is not None:
        names = [each.name for each in index.modules if each.path == wanted.path]
        if not names:
            raise UsageError(f"path: {wanted.path!r} is no module here; find_function finds paths")
        found = reaching_tests(index, set(names))
        return found, f"test files that import {wanted.path}, directly or not"
    paths = _changed_paths(desk, wanted)
    names = [each.name for each in index.modules if each.path in paths]
    found = reaching_tests(index, set(names))
    if not found:
        return [], f"no test file imports what is changed: {', '.join(sorted(paths)) or 'nothing'}"
    return found, f"test files that reach {', '.join(sorted(paths))}"


def _changed_paths(desk: Desk, wanted: _Wanted) -> set[str]:
    _, change = change_of(desk, "HEAD", wanted.patch, wanted.checkout)
    return {edit.path for edit in change.edits}


def reaching_tests(index: CodeIndex, names: set[str]) -> list[str]:
    """Paths of test modules that are, or import, one of some modules; the nearest first."""
    importers: dict[str, set[str]] = {}
    for importer, imported in index.edges:
        importers.setdefault(imported, set()).add(importer)
    distance = dict.fromkeys(names, 0)
    waiting = list(names)
    for each in waiting:
        for importer in importers.get(each, ()):
            if importer not in distance:
                distance[importer] = distance[each] + 1
                waiting.append(importer)
    found = [
        (distance[each.name], each.path)
        for each in index.modules
        if each.is_test and each.name in distance and "test" in each.path.rpartition("/")[2]
    ]
    kept = [path for _, path in sorted(found) if not path.endswith(("conftest.py", "__init__.py"))]
    return kept[:_MOST_TESTS]


def _coverage_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="What tests run of a file", annotations=LOOKS)
    async def coverage(
        ctx: Ctx,
        path: Annotated[str, Field(description="Source file, from the repository on")],
        patch: Patch = None,
        checkout: Checkout = None,
        detail: Detail = False,
    ) -> Coverage:
        """Run the suite once and say which lines and branches of a file no test runs."""

        def job(progress: Progress) -> Coverage:
            return _cover(desk, path, patch, checkout, progress)

        return await desk.work(ctx, job)


def _cover(
    desk: Desk, path: str, patch: str | None, checkout: str | None, progress: Progress
) -> Coverage:
    from reverie.bootstrap import open_sandbox
    from reverie.trials.plan import TrialPlan
    from reverie.trials.suites import covered, lines_to_cover, measure_tree, missed_steps

    began = time.monotonic()
    around = desk.surroundings()
    settings = desk.loaded.settings
    with (
        open_work(desk, around, patch, checkout) as folder,
        open_sandbox(settings.sandbox) as sandbox,
    ):
        if not (folder / path).is_file() or not path.endswith(".py"):
            raise UsageError(f"path: {path!r} is no Python file here; find_function finds paths")
        progress.tell("running the suite", 0, 0)
        tree = measure_tree(folder, sandbox, TrialPlan(settings.guard, python=around.python))
        if tree.project is None:
            return _uncovered(path, "the repository has no tests that could be run", began)
        runs, could = covered(tree, (path,)), lines_to_cover(tree, (path,))
        missed = sorted(line for _, line in could - runs.lines)
        steps = missed_steps(tree, path)
        index = desk.index_of(folder)
    tests = [each for each in tree.coverage.tests if each.lines_of(path)]
    lines = {line for _, line in could}
    shares = [
        _covered_function(each, lines, missed, tests, path) for each in _functions_of(index, path)
    ]
    return Coverage(
        path=path,
        line_coverage=round(1 - len(missed) / len(could), 4) if could else None,
        missed_lines=missed,
        missed_branches=[list(each) for each in steps],
        functions=sorted(shares, key=lambda each: (each.share, each.line)),
        tests=[each.id for each in tests],
        problem=None,
        seconds=round(time.monotonic() - began, 3),
    )


def _functions_of(index: CodeIndex, path: str) -> list[Function]:
    from reverie.index.ranking import functions_of

    module = next((each for each in index.modules if each.path == path), None)
    found = () if module is None else functions_of(module)
    return [each for each in found if not each.is_nested]


def _covered_function(
    function: Function, could: set[int], missed: list[int], tests: list[TestLook], path: str
) -> FunctionCoverage:
    lines = {line for line in could if function.line < line <= function.end_line}
    lost = [line for line in missed if line in lines]
    share = 1 - len(lost) / len(lines) if lines else 1.0
    return FunctionCoverage(
        function=function.qualname,
        line=function.line,
        share=round(share, 3),
        missed_lines=lost,
        tests=sum(bool(each.lines_of(path) & lines) for each in tests),
    )


def _uncovered(path: str, problem: str, began: float) -> Coverage:
    return Coverage(
        path=path,
        line_coverage=None,
        missed_lines=[],
        missed_branches=[],
        functions=[],
        tests=[],
        problem=problem,
        seconds=round(time.monotonic() - began, 3),
    )
