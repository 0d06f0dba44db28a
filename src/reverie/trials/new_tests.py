"""New tests: are they stable, and what do they hold on to?

They are run again and again: in random order, at other times and places, alone, plainly. Read from
their text: assertions on which version of something is installed (true here and now, and a property
of no code).

Without its assertions a test still evaluates everything that it evaluates; nothing that it finds
can fail it. What it still notices, it notices by crashing.
"""

import ast
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.instruments.mutation.program import PLANTED
from reverie.instruments.mutation.project import Project
from reverie.instruments.suite.instrument import run_tests
from reverie.instruments.suite.plain import run_plainly
from reverie.model.change import Change
from reverie.model.measurements.suite import Conditions, SuiteRuns, TestEnd
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.interpreters import interpreter_at, own_interpreter
from reverie.syntax.nodes import Function, is_bare_constant, last_name
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression, fresh_module, parse_module
from reverie.syntax.unparsing import unparse
from reverie.trials.findings import Findings
from reverie.trials.plan import LEAST_SECONDS, TrialPlan
from reverie.trials.suites import MeasuredTree

_LONG = re.compile(r"(?<![\d.])\d+(?:\.\d+){2,}(?![\d.])")
"""A version that no ordinary number is mistaken for."""
_OWN = re.compile(r"^(?:__)?version(?:__)?\s*(?::\s*\w+\s*)?=\s*[\"']([^\"']+)[\"']", re.MULTILINE)
_DIGIT = re.compile(r"\d")


def versions_around(project: Project) -> frozenset[str]:
    """Versions of what is installed for a project, of its Python, and of the project itself."""
    python = own_interpreter() if project.python is None else interpreter_at(project.python)
    known = (each for place in python.site_packages for each in Path(place).glob("*-*.dist-info"))
    found = {each.name.removesuffix(".dist-info").partition("-")[2] for each in known}
    found.add(sys.version.partition(" ")[0])
    for file in project.files:
        text = Path(project.root, file).read_text("utf-8", "replace")
        found.update(each for each in _OWN.findall(text) if _DIGIT.search(each))
    return frozenset(found)


def pinned_tests(change: Change, files: tuple[str, ...], versions: frozenset[str]) -> Iterator[str]:
    """Ids of test functions in new files with such a version among their texts."""
    for edit in change.edits:
        if edit.before is None and edit.after is not None and edit.path in files:
            for node in ast.walk(parse_module(edit.after)):
                if not isinstance(node, Function):
                    continue
                if node.name.startswith("test") and _says_version(node, versions):
                    yield f"{edit.path}::{node.name}"


def _says_version(node: ast.AST, versions: frozenset[str]) -> bool:
    texts = (
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    )
    return any(text in versions or versions & set(_LONG.findall(text)) for text in texts)


_INSTANTS = ("2025-01-15T12:00:00+00:00", "2031-12-31T23:59:59+00:00", "0",
             "2024-02-29T00:00:01+00:00", "2026-08-02T03:30:00+00:00")  # fmt: skip
_HASH_SEEDS = (0, 4242)
"""Each on a machine of its own: that takes no more slots than the seeds do."""
_BAD = (TestEnd.FAILED, TestEnd.MISSING)


@dataclass(frozen=True, slots=True)
class NewTests:
    """The tests of a change that are on trial, in the tree that has them."""

    head: MeasuredTree
    change: Change
    files: tuple[str, ...]
    names: tuple[str, ...]
    base: MeasuredTree | None = None
    """The tree without them: what its own suite leaves behind is no deed of theirs."""

    def note_runs(self, found: Findings, sandbox: Sandbox, plan: TrialPlan) -> None:
        """Run them as often as the settings ask; what no run told stays absent."""
        project = self.head.project
        if project is None or plan.seconds_left < LEAST_SECONDS:
            return
        runs = run_tests(sandbox, project, self.files, _conditions(plan), plan.wall_seconds_left)
        _note_reports(found, runs)
        if runs.heard:
            self._note_ends(found, runs)
            self._note_traces(found, runs)
            self._note_deeds(found, runs, sandbox, plan)
            self._note_machine(found, runs, sandbox, plan)
            self._note_plain_run(found, runs, sandbox, plan)

    def _note_ends(self, found: Findings, runs: SuiteRuns) -> None:
        ends = {name: runs.ends_of(name) for name in self.names}
        common = [run for run in runs.heard if not run.conditions.is_alone]
        asked = sum(not run.conditions.is_alone for run in runs.runs)
        passed = [sum(r.ends.get(name) is TestEnd.PASSED for r in common) for name in self.names]
        found.note("tests.runs", len(common))
        if len(common) == asked:
            found.note("tests.passed_runs", min(passed))
        chosen = {
            "tests.skipped": [n for n in self.names if TestEnd.SKIPPED in ends[n]],
            "suite.forged": [n for n in self.names if TestEnd.FORGED in ends[n]],
            "tests.failing": [n for n in self.names if TestEnd.PASSED not in ends[n]],
            "tests.unstable": [n for n in self.names if _is_unstable(ends[n])],
        }
        for name, tests in chosen.items():
            found.note_names(name, tests)

    def _note_machine(
        self, found: Findings, runs: SuiteRuns, sandbox: Sandbox, plan: TrialPlan
    ) -> None:
        """Of tests that come and go: those for which another machine makes the difference."""
        unstable = [name for name in self.names if _is_unstable(runs.ends_of(name))]
        pinned = self._pinned(plan)
        failing = [
            run for run in runs.heard if any(run.ends.get(name) in _BAD for name in unstable)
        ]
        if not failing or self.head.project is None:
            found.note_names("tests.machine", pinned)
            return
        first = failing[0]
        there = replace(first.conditions, disguise=1 - first.conditions.disguise, is_traced=False)
        seconds = plan.wall_seconds_left
        (other,) = run_tests(sandbox, self.head.project, self.files, [there], seconds).runs
        if other.silence is None:
            depends = (n for n in unstable if first.ends.get(n) != other.ends.get(n))
            found.note_names("tests.machine", dict.fromkeys((*depends, *pinned)))

    def _pinned(self, plan: TrialPlan) -> list[str]:
        """Of tests that were written here: those that say which version is installed."""
        if self.head.project is None or not plan.is_own:
            return []
        versions = versions_around(self.head.project)
        return sorted(pinned_tests(self.change, self.files, versions))

    def _note_plain_run(
        self, found: Findings, runs: SuiteRuns, sandbox: Sandbox, plan: TrialPlan
    ) -> None:
        """Tests that pass here in every run, and do not where nothing of ours is beside them.

        Once more where nothing but what is declared is installed, if there is such a place.
        """
        project = self.head.project
        if project is None or plan.seconds_left < LEAST_SECONDS:
            return
        is_other = plan.fresh is not None and plan.fresh != project.python
        fresh = [replace(project, python=plan.fresh)] if is_other else []
        plain = [
            run_plainly(sandbox, each, self.files, self.files, plan.wall_seconds_left)
            for each in (project, *fresh)
        ]
        if all(run.silence is None for run in plain):
            steady = [name for name in self.names if set(runs.ends_of(name)) == {TestEnd.PASSED}]
            only_here = (
                name
                for name in steady
                if any(run.end_of(name) is not TestEnd.PASSED for run in plain)
            )
            found.note_names("tests.only_here", only_here)

    def _note_traces(self, found: Findings, runs: SuiteRuns) -> None:
        """What of the tests and of the repository never ran."""
        found.note_names("tests.unreached", self._unreached(runs))
        tests = self.head.coverage.tests
        reach = {test.id for test in tests if test.lines or not test.is_traced}
        found.note_names("tests.idle", (name for name in self.names if name not in reach))

    def _note_deeds(
        self, found: Findings, runs: SuiteRuns, sandbox: Sandbox, plan: TrialPlan
    ) -> None:
        """What the tests left in the repository and in its modules, and the old suite does not."""
        writes, replaced = set(runs.writes), {n for run in runs.runs for n in run.replaced}
        if writes or replaced:
            old = self._run_of_old_tests(runs, sandbox, plan)
            if old is not None and self.base is not None and self.base.project is not None:
                root = self.base.project.root
                writes -= {each for each in old.writes if not os.path.isfile(f"{root}/{each}")}
                replaced -= {name for run in old.runs for name in run.replaced}
        found.note_names("tests.writes", sorted(writes))
        found.note_names("tests.replaced", sorted(replaced))

    def _run_of_old_tests(
        self, runs: SuiteRuns, sandbox: Sandbox, plan: TrialPlan
    ) -> SuiteRuns | None:
        """One file of the suite before: plug-ins and conftests act whichever test is run."""
        base = self.base
        if base is None or base.project is None:
            return None
        known = sorted(base.test_files, key=lambda name: (_folder(name) not in self._folders, name))
        if not known:
            return None
        asked = [replace(run.conditions, is_traced=False) for run in runs.runs[:1]]
        return run_tests(sandbox, base.project, known[:1], asked, plan.wall_seconds_left)

    @property
    def _folders(self) -> frozenset[str]:
        return frozenset(map(_folder, self.files))

    def _unreached(self, runs: SuiteRuns) -> Iterator[str]:
        """Assertions of the changed test files that no line of the traced run reaches."""
        root = "" if self.head.project is None else self.head.project.root
        lines = {path: found for run in runs.runs for path, found in run.lines.items()}
        for edit in self.change.edits:
            seen = lines.get(f"{root}/{edit.path}")
            if edit.after is None or edit.path not in self.files or seen is None:
                continue
            known = set() if edit.before is None else _assertion_texts(edit.before)
            for node in _assertions(edit.after):
                own = set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
                if not seen & own and unparse(node) not in known:
                    yield f"{edit.path}:{node.lineno}"


def _folder(file: str) -> str:
    return file.rpartition("/")[0]


def _conditions(plan: TrialPlan) -> list[Conditions]:
    """The runs in random order, then every test alone."""
    found = [
        Conditions(
            name=f"run {number + 1}",
            seed=plan.seed + number,
            instant=_INSTANTS[number % len(_INSTANTS)],
            hash_seed=_HASH_SEEDS[number % len(_HASH_SEEDS)],
            disguise=number % len(_HASH_SEEDS),
            is_traced=number == 0,
        )
        for number in range(plan.section.runs)
    ]
    return [*found, Conditions("alone", plan.seed, _INSTANTS[0], is_alone=True)]


def _note_reports(found: Findings, runs: SuiteRuns) -> None:
    """Runs that say what cannot be; those that were ended; and the silent, who tell no lie."""
    silent = [run for run in runs.runs if run.silence is not None]
    late = [f"{r.conditions.name}: {r.silence}" for r in silent if not r.is_dead]
    blind = [run.conditions.name for run in runs.heard if not run.saw_plant]
    found.note_names("suite.blind_runs", blind)
    found.note_names("suite.dead_runs", (r.conditions.name for r in silent if r.is_dead))
    found.note_names("suite.silent_runs", late)


def _is_unstable(ends: tuple[TestEnd, ...]) -> bool:
    return TestEnd.PASSED in ends and len(set(ends)) > 1


def _assertions(source: str) -> list[ast.Assert]:
    """All but `assert False`, which stands where nothing should come."""
    try:
        tree = fresh_module(source)
    except NOT_PYTHON:
        return []
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        and not (isinstance(node.test, ast.Constant) and not node.test.value)
    ]


def _assertion_texts(source: str) -> set[str]:
    return {unparse(node) for node in _assertions(source)}


_FAILING = ("fail",)
_EXPECTING = ("raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns",
              "assertWarnsRegex", "deprecated_call", "assertLogs")  # fmt: skip
_PRELUDE = f"""
import contextlib as _contextlib
from unittest import mock as _mock

@_contextlib.contextmanager
def _quiet():
    try:
        yield
    except BaseException as error:
        if type(error) is RuntimeError and error.args == ({PLANTED!r},):
            raise
"""
"""Whatever was expected may happen or not; only what proves the instrument is let through."""


def strip_assertions(source: str) -> str:
    """The source of a test file in which nothing is asserted any more."""
    tree = _Stripper().visit(fresh_module(source))
    place = _after_future(tree)
    tree.body[place:place] = fresh_module(_PRELUDE).body
    return unparse(ast.fix_missing_locations(tree))


def _after_future(tree: ast.Module) -> int:
    place = 0
    for number, node in enumerate(tree.body, start=1):
        is_words = is_bare_constant(node)
        if (number == 1 and is_words) or (
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ):
            place = number
    return place


class _Stripper(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return ast.Expr(node.test)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        is_failure = node.exc is not None and "AssertionError" in unparse(node.exc)
        return ast.Pass() if is_failure else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if not isinstance(call, ast.Call):
            return node
        name = last_name(call.func)
        if name in _FAILING:
            return ast.Pass()
        values = [*call.args, *(each.value for each in call.keywords)]
        if name in _EXPECTING and len(call.args) > 1:
            return _suppressed([ast.Expr(ast.Call(call.args[1], call.args[2:], call.keywords))])
        if name.startswith("assert"):
            owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
            plain = [each.value if isinstance(each, ast.Starred) else each for each in values]
            return ast.Expr(ast.Tuple([*owner, *plain], ast.Load()))
        return node

    def visit_With(self, node: ast.With) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        kept = [each for each in node.items if not _expects(each)]
        if len(kept) == len(node.items):
            return node
        caught = [each.optional_vars for each in node.items if _expects(each)]
        names = [each for each in caught if each is not None]
        inner = _suppressed(node.body)
        return [*map(_anything, names), ast.With(kept, [inner]) if kept else inner]


def _anything(name: ast.expr) -> ast.stmt:
    """What was caught is looked at later: a stand-in that answers everything."""
    return fresh_module(f"{unparse(name)} = _mock.MagicMock()").body[0]


def _suppressed(body: list[ast.stmt]) -> ast.With:
    call = fresh_expression("_quiet()")
    return ast.With([ast.withitem(call)], body)


def _expects(item: ast.withitem) -> bool:
    call = item.context_expr
    return isinstance(call, ast.Call) and last_name(call.func) in _EXPECTING
