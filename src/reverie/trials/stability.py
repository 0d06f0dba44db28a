"""New tests run again and again: in random order, at other times and places, alone, plainly."""

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from reverie.instruments.suite.instrument import run_tests
from reverie.instruments.suite.plain import run_plainly
from reverie.model.change import Change
from reverie.model.suite import Conditions, SuiteRuns, TestEnd
from reverie.sandbox.engine import Sandbox
from reverie.trials.measuring import Findings
from reverie.trials.pinned import pinned_tests, versions_around
from reverie.trials.plan import LEAST_SECONDS, TrialPlan
from reverie.trials.suites import MeasuredTree

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
            anyway = self._left_anyway(runs, sandbox, plan)
            found.note_names("tests.writes", (each for each in runs.writes if each not in anyway))
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
        """What the tests did to the repository, and what of them and of it never ran."""
        found.note_names("tests.replaced", sorted({n for run in runs.runs for n in run.replaced}))
        found.note_names("tests.unreached", self._unreached(runs))
        tests = self.head.coverage.tests
        reach = {test.id for test in tests if test.lines or not test.is_traced}
        found.note_names("tests.idle", (name for name in self.names if name not in reach))

    def _left_anyway(self, runs: SuiteRuns, sandbox: Sandbox, plan: TrialPlan) -> frozenset[str]:
        """What plug-ins and conftests of the old suite make, whichever test is run."""
        base = self.base
        if not runs.writes or base is None or base.project is None:
            return frozenset()
        known = sorted(base.test_files, key=lambda name: (_folder(name) not in self._folders, name))
        if not known:
            return frozenset()
        asked = [replace(run.conditions, is_traced=False) for run in runs.runs[:1]]
        old = run_tests(sandbox, base.project, known[:1], asked, plan.wall_seconds_left)
        root = base.project.root
        return frozenset(each for each in old.writes if not os.path.isfile(f"{root}/{each}"))

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
                if not seen & own and ast.unparse(node) not in known:
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
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        and not (isinstance(node.test, ast.Constant) and not node.test.value)
    ]


def _assertion_texts(source: str) -> set[str]:
    return {ast.unparse(node) for node in _assertions(source)}
