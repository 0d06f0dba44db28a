"""The suite before and after a change: which tests fail, are lost, or run less than before."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.coverage import look_at_tests
from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.project import Project, find_project
from reverie.instruments.suite.plain import run_plainly
from reverie.model.change import Change
from reverie.model.mutation import CoverageMap, TestLook
from reverie.model.suite import TestEnd
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import TrialPlan
from reverie.trials.trees import Trees

_MOST_SUSPECTS = 40
_LOOKS = 3
_FINE = ({TestEnd.PASSED, TestEnd.MISSING}, {TestEnd.PASSED})
"""How a test may end before a change, where it may have another name, and after it."""
EMPTY = CoverageMap((), {}, {}, 0.0)
_LEAST_SECONDS = 30.0
"""What is begun is given the time to end: plants that do not answer would prove nothing."""


@dataclass(frozen=True, slots=True)
class MeasuredTree:
    """One tree with its project and its coverage map; no project where it has no tests."""

    project: Project | None
    coverage: CoverageMap

    @property
    def runs_code(self) -> bool:
        """Whether a test passes there that runs a line of production code."""
        return any(test.outcome == "passed" and test.lines for test in self.coverage.tests)

    @property
    def by_id(self) -> Mapping[str, TestLook]:
        """Its tests."""
        return {test.id: test for test in self.coverage.tests}

    @property
    def test_files(self) -> frozenset[str]:
        """Files that tests were collected from, wherever they lie; examples in words are none."""
        return frozenset(name.partition("::")[0] for name in self.by_id if not _is_example(name))


def measure_tree(
    folder: Path,
    sandbox: Sandbox,
    plan: TrialPlan,
    tests: tuple[str, ...] = (),
    fewer: MeasuredTree | None = None,
) -> MeasuredTree:
    """Run the suite of a tree once, with the lines that every test runs.

    `fewer` is a tree that the other only adds tests to: what its tests run is not asked again.
    """
    try:
        project = find_project(folder, tests=tests, python=plan.python)
    except UsageError:
        return MeasuredTree(None, EMPTY)
    try:
        far, cache = far_side(sandbox, project, plan), VerdictCache(plan.cache)
        coverage = look_at_tests(far, cache, None if fewer is None else fewer.project)
    except MachineryError:
        if not _has_tests(folder, project):
            return MeasuredTree(None, EMPTY)
        raise
    return MeasuredTree(project, coverage)


def far_side(sandbox: Sandbox, project: Project, plan: TrialPlan) -> FarSide:
    """The mutation instrument on a project, within the plan's budget."""
    seconds = max(_LEAST_SECONDS, plan.wall_seconds_left)
    return FarSide(sandbox, project, exhaustive=False, baseline_seconds=seconds, looks_alone=False)


def _has_tests(folder: Path, project: Project) -> bool:
    places = [folder / each.partition("::")[0] for each in project.tests]
    return any(place.is_file() or any(place.rglob("*test*.py")) for place in places)


@dataclass(frozen=True, slots=True)
class SuiteChange:
    """What became of the tests that were there, and which are new."""

    failing_before: tuple[str, ...]
    newly_failing: tuple[str, ...]
    lost: tuple[str, ...]
    weaker: tuple[str, ...]
    """Tests that were there and now run fewer lines of the same code."""
    new: tuple[str, ...]
    mended: tuple[str, ...] = ()
    """Tests that failed before and pass now."""
    wavering: tuple[str, ...] = ()
    """Tests that failed once after the change and not again; before it they always passed."""


def compare_suites(base: MeasuredTree, head: MeasuredTree, change: Change) -> SuiteChange:
    """Test by test; a test of a renamed file is the same test.

    So is one of as many cases of a function whose names differ: names may hold the time of day.
    """
    renamed = {edit.renamed_from: edit.path for edit in change.edits if edit.renamed_from}
    before = {_renamed(name, renamed): test for name, test in base.by_id.items()}
    after = _named_alike(head.by_id, before)
    passed = [name for name, test in before.items() if test.outcome == "passed"]
    both = [name for name in passed if name in after]
    broken = {name for name, _ in head.coverage.broken} - {name for name, _ in base.coverage.broken}
    return SuiteChange(
        failing_before=tuple(name for name, test in before.items() if test.outcome == "failed"),
        newly_failing=(*(n for n in both if after[n].outcome != "passed"), *sorted(broken)),
        lost=tuple(name for name in before if name not in after),
        weaker=tuple(name for name in both if _is_weaker(before[name], after[name], change)),
        new=tuple(name for name in after if name not in before),
        mended=tuple(
            name
            for name, test in before.items()
            if test.outcome == "failed" and name in after and after[name].outcome == "passed"
        ),
    )


def _named_alike(
    after: Mapping[str, TestLook], before: Mapping[str, TestLook]
) -> dict[str, TestLook]:
    """Cases under the names they had, where a function has as many as before, in their order."""
    gone: dict[str, list[str]] = {}
    for name in before:
        if name not in after:
            gone.setdefault(name.partition("[")[0], []).append(name)
    come: dict[str, list[str]] = {}
    for name in after:
        if name not in before:
            come.setdefault(name.partition("[")[0], []).append(name)
    names = {
        new: old
        for function, olds in gone.items()
        if len(olds) == len(come.get(function, ()))
        for new, old in zip(come[function], olds, strict=True)
    }
    return {names.get(name, name): test for name, test in after.items()}


def _is_example(test: str) -> bool:
    """Whether a test is an example in a docstring: pytest calls it by its dotted name."""
    name = test.partition("::")[2].partition("[")[0]
    return "::" not in name and "." in name


def confirm_failing(
    suites: SuiteChange, base: MeasuredTree, head: MeasuredTree, sandbox: Sandbox, plan: TrialPlan
) -> SuiteChange:
    """Look again at tests that fail now: after the change and before it, turn by turn.

    One that also fails before it comes and goes by itself. One that fails sometimes only is left
    open: a busy machine may have done it, or the change.
    """
    names = [name for name in suites.newly_failing if "::" in name]
    if not names or len(names) > _MOST_SUSPECTS or base.project is None or head.project is None:
        return suites
    files = sorted({name.partition("::")[0] for name in names})
    failed: dict[str, list[int]] = {name: [0, 0] for name in names}
    for _ in range(_LOOKS):
        for place, project in enumerate((base.project, head.project)):
            run = run_plainly(sandbox, project, files, (), plan.wall_seconds_left)
            if run.silence is not None:
                return suites
            for name in names:
                failed[name][place] += run.end_of(name) not in _FINE[place]
    steady = {name: after for name, (before, after) in failed.items() if not before}
    files_lost = tuple(name for name in suites.newly_failing if "::" not in name)
    always = tuple(name for name, after in steady.items() if after == _LOOKS) + files_lost
    sometimes = tuple(name for name, after in steady.items() if after < _LOOKS)
    return replace(suites, newly_failing=always, wavering=sometimes)


def confirm_weaker(
    suites: SuiteChange, trees: Trees, sandbox: Sandbox, plan: TrialPlan
) -> SuiteChange:
    """Look again at tests that ran less, by themselves on both sides.

    A test that came later runs less where an earlier one has filled a cache, or left a thread.
    """
    names = suites.weaker[:_MOST_SUSPECTS]
    if not names:
        return suites
    alone = [
        measure_tree(folder, sandbox, plan, tests=tuple(f"{folder}/{each}" for each in names))
        for folder in (trees.base, trees.head)
    ]
    again = compare_suites(alone[0], alone[1], trees.change)
    weaker = tuple(each for each in again.weaker if each in names)
    return replace(suites, weaker=weaker + suites.weaker[_MOST_SUSPECTS:])


def _renamed(name: str, renamed: Mapping[str, str]) -> str:
    file, separator, rest = name.partition("::")
    return renamed.get(file, file) + separator + rest


def _is_weaker(before: TestLook, after: TestLook, change: Change) -> bool:
    """Of files that the change leaves alone: in the others lines have moved."""
    return before.is_traced and any(
        before.lines_of(file) - after.lines_of(file)
        for file in before.lines
        if file not in change.paths
    )
