"""The suite before and after a change: tests that fail, are lost, or run less than before.

Lines and branches that it runs are compared on the same files. The same figures of a repository as
it stands are its baseline.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from types import CodeType

from reverie.errors import MachineryError, UsageError
from reverie.instruments.mutation.cache import VerdictCache, look_at_tests
from reverie.instruments.mutation.project import Project, find_project
from reverie.instruments.mutation.sandbox_side import FarSide
from reverie.instruments.suite.plain import run_plainly
from reverie.model.change import Change, FileEdit
from reverie.model.measurements.suite import CoverageMap, TestEnd, TestLook
from reverie.sandbox.engine import Sandbox
from reverie.syntax.nodes import is_bare_constant
from reverie.syntax.parsing import NOT_PYTHON, fresh_module, parse_module
from reverie.syntax.unparsing import unparse
from reverie.trials.plan import Trees, TrialPlan

_MOST_SUSPECTS = 40
_LOOKS = 3
_MORE_LOOKS = 9
"""Without the change: in all twelve a test that fails one time in ten does so with 72 %."""
_WHY_CHARACTERS = 120
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
    some = plan.reaching
    if some is not None and not tests:
        tests = tuple(f"{folder}/{each}" for each in some.files if (folder / each).is_file())
    try:
        project = find_project(folder, tests=tests, python=plan.python)
    except UsageError:
        return MeasuredTree(None, EMPTY)
    if some is not None and some.code is not None:
        project = replace(project, files=some.code)
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
    flaky: tuple[str, ...] = ()
    """Tests that came and went before the change as well: what they are is not its doing."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """What tests and files that fail now say of it, in a line each."""

    def with_reasons(self, names: Iterable[str]) -> tuple[str, ...]:
        """Names of tests, each with why it fails, where that is known."""
        return tuple(f"{n} ({self.reasons[n]})" if self.reasons.get(n) else n for n in names)


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
        reasons={
            **{name: _one_line(after[name].reason) for name in both},
            **{name: _one_line(why) for name, why in head.coverage.broken},
        },
    )


def _one_line(reason: str) -> str:
    """What pytest says of a failure, short enough to stand behind the name of the test."""
    return " ".join(reason.split())[:_WHY_CHARACTERS]


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

    One that also fails before it comes and goes by itself. One that fails sometimes only is looked
    at a few times more before it, and then left open: a busy machine may have done it, or the
    change.
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
    flaky = {name for name in names if name not in steady}
    flaky |= _flaky_before(sometimes, base.project, sandbox, plan)
    return replace(
        suites,
        newly_failing=always,
        wavering=tuple(name for name in sometimes if name not in flaky),
        flaky=tuple(name for name in names if name in flaky),
    )


def _flaky_before(
    names: Sequence[str], project: Project, sandbox: Sandbox, plan: TrialPlan
) -> frozenset[str]:
    """Those of some tests that fail without the change as well, if only now and then."""
    found: set[str] = set()
    for _ in range(_MORE_LOOKS):
        left = [name for name in names if name not in found]
        if not left:
            break
        files = sorted({name.partition("::")[0] for name in left})
        run = run_plainly(sandbox, project, files, (), plan.wall_seconds_left)
        if run.silence is not None:
            break
        found |= {name for name in left if run.end_of(name) not in _FINE[0]}
    return frozenset(found)


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


_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_UNRUN = (*_DEFINING, ast.Global, ast.Nonlocal, ast.Pass, ast.Try)
"""Statements that leave no line of their own, or that an import runs."""
_BRANCHING = (
    ast.If | ast.While | ast.For | ast.AsyncFor | ast.IfExp | ast.Try | ast.Match | ast.With
)


@dataclass(frozen=True, slots=True)
class Covered:
    """What a suite runs of some files."""

    lines: frozenset[tuple[str, int]]
    branches: frozenset[tuple[str, int, int]]


def covered(tree: MeasuredTree, files: tuple[str, ...]) -> Covered:
    """Lines, and steps that leave a line with a choice."""
    coverage = tree.coverage
    choices = {file: _choices(_source(tree, file)) for file in files}
    lines = {(file, line) for file in files for line in coverage.lines_of(file)}
    branches = {
        (file, start, end)
        for file in files
        for start, end in _steps(coverage, file)
        if start in choices[file]
    }
    return Covered(frozenset(lines), frozenset(branches))


def missed_steps(tree: MeasuredTree, file: str) -> list[tuple[int, int]]:
    """Lines with an `if` that run, and the line that no test goes on with; -1: past its body."""
    steps, ran = set(_steps(tree.coverage, file)), tree.coverage.lines_of(file)
    try:
        nodes = list(ast.walk(fresh_module(_source(tree, file))))
    except NOT_PYTHON:
        return []
    found = []
    for node in nodes:
        if not isinstance(node, ast.If) or node.lineno not in ran:
            continue
        ends = {end for start, end in steps if start == (node.test.end_lineno or node.lineno)}
        inside = node.body[0].lineno
        other = node.orelse[0].lineno if node.orelse else -1
        if ends and inside not in ends:
            found.append((node.lineno, inside))
        if ends and not ends - {inside}:
            found.append((node.lineno, other))
    return sorted(found)


def lines_to_cover(tree: MeasuredTree, files: tuple[str, ...]) -> frozenset[tuple[str, int]]:
    """Every line of some files that could run."""
    return frozenset((file, line) for file in files for line in _executable(_source(tree, file)))


def lines_of_tests(coverage: CoverageMap, tests: frozenset[str]) -> Mapping[str, frozenset[int]]:
    """By file: the lines that some tests run."""
    found: dict[str, frozenset[int]] = {}
    for test in coverage.tests:
        if test.id in tests:
            for file in test.lines:
                found[file] = found.get(file, frozenset()) | test.lines_of(file)
    return found


def lost_statements(
    base: MeasuredTree, head: MeasuredTree, edits: Iterable[FileEdit]
) -> Iterator[str]:
    """Places of code that was run and is not, and of new code that is not run, as `file:line`.

    New code may stand in the place of as much code that was not run either.
    """
    for edit in edits:
        if edit.before is None or edit.after is None:
            continue
        ran_before = base.coverage.lines_of(edit.renamed_from or edit.path)
        ran_after = head.coverage.lines_of(edit.path)
        old, new = _statements(edit.before), _statements(edit.after)
        kept, gone, come = _aligned(old, new)
        lost = [b.line for a, b in kept if a.lines & ran_before and not b.lines & ran_after]
        idle = [each.line for each in come if not each.lines & ran_after]
        if len(idle) > sum(not each.lines & ran_before for each in gone):
            lost += idle
        yield from (f"{edit.path}:{line}" for line in sorted(lost))


@dataclass(frozen=True, slots=True)
class _Statement:
    """One statement, or the head of one that holds others: in which function, and how it reads."""

    scope: str
    text: str
    line: int
    lines: frozenset[int]
    """Those of its lines that could run."""


def _aligned(
    old: list[_Statement], new: list[_Statement]
) -> tuple[list[tuple[_Statement, _Statement]], list[_Statement], list[_Statement]]:
    """Statements that both have, first in place and then wherever they moved; and all others."""
    kept: list[tuple[_Statement, _Statement]] = []
    for key in (lambda e: (e.scope, e.text), lambda e: ("", e.text)):
        matcher = SequenceMatcher(None, list(map(key, old)), list(map(key, new)), autojunk=False)
        found = [
            (old[block.a + number], new[block.b + number])
            for block in matcher.get_matching_blocks()
            for number in range(block.size)
        ]
        kept += found
        old = [each for each in old if each not in {a for a, _ in found}]
        new = [each for each in new if each not in {b for _, b in found}]
    return kept, old, new


def _statements(source: str) -> list[_Statement]:
    found: list[_Statement] = []
    executable = _executable(source.encode("utf-8", "surrogatepass"))

    def visit(nodes: Iterable[ast.AST], scope: str) -> None:
        for node in nodes:
            inner = f"{scope}.{node.name}" if isinstance(node, _DEFINING) else scope
            is_words = is_bare_constant(node)
            if isinstance(node, ast.stmt) and not isinstance(node, _UNRUN) and not is_words:
                lines = executable & frozenset(range(node.lineno, _last_line(node) + 1))
                if lines:
                    found.append(_Statement(scope, _head(node), node.lineno, lines))
            visit(ast.iter_child_nodes(node), inner)

    visit(parse_module(source).body, "")
    return found


def _last_line(node: ast.stmt) -> int:
    """Where a statement ends; of one that holds others, where its head does."""
    block = getattr(node, "body", None) or getattr(node, "cases", None)
    if not block:
        return node.end_lineno or node.lineno
    first = block[0].pattern if isinstance(block[0], ast.match_case) else block[0]
    return max(node.lineno, first.lineno - 1)


def _head(node: ast.stmt) -> str:
    """How a statement reads, without the statements inside of it."""
    text = unparse(node)
    is_compound = hasattr(node, "body") or isinstance(node, ast.Match)
    return text.partition("\n")[0] if is_compound else text


def _steps(coverage: CoverageMap, file: str) -> Iterator[tuple[int, int]]:
    yield from coverage.import_arcs.get(file, ())
    for test in coverage.tests:
        if test.is_usable:
            yield from test.arcs.get(file, ())


def _source(tree: MeasuredTree, file: str) -> bytes:
    root = "" if tree.project is None else tree.project.root
    try:
        return (Path(root) / file).read_bytes()
    except OSError:
        return b""


def _choices(source: bytes) -> frozenset[int]:
    try:
        tree = fresh_module(source)
    except NOT_PYTHON:
        return frozenset()
    return frozenset(node.lineno for node in ast.walk(tree) if isinstance(node, _BRANCHING))


def _executable(source: bytes) -> frozenset[int]:
    try:
        code = compile(source, "<source>", "exec", dont_inherit=True)
    except NOT_PYTHON:
        return frozenset()
    return frozenset(_code_lines(code))


def _code_lines(code: CodeType) -> Iterator[int]:
    yield from (line for _, _, line in code.co_lines() if line)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _code_lines(each)


def measure_standing(folder: Path, sandbox: Sandbox, plan: TrialPlan) -> Mapping[str, float]:
    """As trials measure them; what could not be measured is not there."""
    tree = measure_tree(folder, sandbox, plan)
    if tree.project is None:
        return {}
    found = {"suite.passing": float(sum(e.outcome == "passed" for e in tree.coverage.tests))}
    total = lines_to_cover(tree, tree.project.files)
    if total:
        run = covered(tree, tree.project.files).lines
        found["coverage.lines"] = round(len(run & total) / len(total), 6)
    return found
