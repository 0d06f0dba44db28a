"""The trial of new tests: are they stable, do they see more, and do their assertions do it?

    evidence = try_tests(trees, sandbox, TrialPlan(section))

Guardrails come first (`gates.stages.judge_statically`): what they refuse is not worth a trial.
"""

import ast
from collections.abc import Mapping

from reverie.gates.paths import is_test_module
from reverie.instruments.mutation.sampling import spread_sample
from reverie.instruments.suite.instrument import run_tests
from reverie.model.dream import Stage
from reverie.model.evidence import Evidence
from reverie.model.mutation import JudgedMutant
from reverie.model.suite import Conditions, SuiteRuns, TestEnd
from reverie.sandbox.engine import Sandbox
from reverie.trials.coverage import covered, lines_of_tests, lines_to_cover
from reverie.trials.measuring import Findings
from reverie.trials.mutants import (
    MutantsCompared,
    judge_mutants,
    judge_with,
    judge_without_assertions,
    unnoticed,
)
from reverie.trials.plan import LEAST_SECONDS, TrialPlan
from reverie.trials.suites import MeasuredTree, SuiteChange, compare_suites, measure_tree
from reverie.trials.trees import Trees

_INSTANTS = ("2025-01-15T12:00:00+00:00", "2031-12-31T23:59:59+00:00", "0",
             "2024-02-29T00:00:01+00:00", "2026-08-02T03:30:00+00:00")  # fmt: skip
_HASH_SEEDS = (0, 4242)
_SUSPECTS = 6
_ENOUGH = 3
"""Mutants of which one at least should be noticed by a test that runs them."""
_STRIPPED = 60
"""Newly killed mutants that are judged again without assertions."""


def try_tests(trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything that stage A asks for, measured on both trees."""
    return _TestTrial(trees, sandbox, plan).run()


class _TestTrial:
    """One trial, step by step: what a step could not measure stays absent."""

    def __init__(self, trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> None:
        self.trees = trees
        self.sandbox = sandbox
        self.plan = plan
        self.found = Findings()
        edits = trees.change.edits
        self.files = tuple(e.path for e in edits if e.after is not None and is_test_module(e.path))

    def run(self) -> Evidence:
        base = measure_tree(self.trees.base, self.sandbox, self.plan)
        head = measure_tree(self.trees.head, self.sandbox, self.plan)
        suites = compare_suites(base, head, self.trees.change)
        self.found.note_suites(len(base.coverage.tests), suites)
        self.found.note_passing(head)
        new = self._tests_on_trial(head, suites)
        self.found.note_names("tests.new", new)
        if new and head.project is not None:
            self._note_runs(head, new)
            self._note_coverage(base, head)
            if not any(
                self.found.measures.get(f"tests.{k}") for k in ("failing", "unstable", "skipped")
            ):
                self._note_mutants(base, head, frozenset(new))
        return self.found.evidence(Stage.A, self.trees, self.sandbox, self.plan)

    def _tests_on_trial(self, head: MeasuredTree, suites: SuiteChange) -> tuple[str, ...]:
        """New tests; where a change only adds to tests that were there, all of its files."""
        in_files = [name for name in head.by_id if name.partition("::")[0] in self.files]
        new = [name for name in in_files if name in suites.new]
        return tuple(new or in_files)

    def _note_runs(self, head: MeasuredTree, new: tuple[str, ...]) -> None:
        project = head.project
        if project is None or self.plan.seconds_left < LEAST_SECONDS:
            return
        asked = self._conditions(new)
        runs = run_tests(self.sandbox, project, self.files, asked, self.plan.seconds_left)
        ends = {name: runs.ends_of(name) for name in new}
        common = [run for run in runs.runs if not run.conditions.is_alone]
        passed = [sum(run.ends.get(name) is TestEnd.PASSED for run in common) for name in new]
        self.found.note("tests.runs", len(common))
        self.found.note("tests.passed_runs", min(passed))
        self.found.note_names("tests.skipped", (n for n in new if TestEnd.SKIPPED in ends[n]))
        self.found.note_names("suite.forged", (n for n in new if TestEnd.FORGED in ends[n]))
        self.found.note_names("tests.failing", (n for n in new if TestEnd.PASSED not in ends[n]))
        self.found.note_names("tests.unstable", (n for n in new if self._is_unstable(ends[n])))
        self.found.note_names(
            "suite.blind_runs", (r.conditions.name for r in runs.runs if not r.saw_plant)
        )
        self.found.note_names("tests.writes", runs.writes)
        self.found.note_names(
            "tests.replaced", sorted({n for run in runs.runs for n in run.replaced})
        )
        self.found.note_names("tests.unreached", self._unreached(head, runs))
        reach = {test.id for test in head.coverage.tests if test.lines or not test.is_traced}
        self.found.note_names("tests.idle", (n for n in new if n not in reach))

    @staticmethod
    def _is_unstable(ends: tuple[TestEnd, ...]) -> bool:
        return TestEnd.PASSED in ends and len(set(ends)) > 1

    def _conditions(self, new: tuple[str, ...]) -> list[Conditions]:
        """The runs in random order, then every test alone."""
        seed = self.plan.seed
        found = [
            Conditions(
                name=f"run {number + 1}",
                seed=seed + number,
                instant=_INSTANTS[number % len(_INSTANTS)],
                hash_seed=_HASH_SEEDS[number % len(_HASH_SEEDS)],
                is_traced=number == 0,
            )
            for number in range(self.plan.section.runs)
        ]
        return [*found, Conditions("alone", seed, _INSTANTS[0], is_alone=True)]

    def _unreached(self, head: MeasuredTree, runs: SuiteRuns) -> list[str]:
        """Assertions of the changed test files that no line of the traced run reaches."""
        root = "" if head.project is None else head.project.root
        lines = {path: found for run in runs.runs for path, found in run.lines.items()}
        missed = []
        for edit in self.trees.change.edits:
            seen = lines.get(f"{root}/{edit.path}")
            if edit.after is None or edit.path not in self.files or seen is None:
                continue
            known = set() if edit.before is None else _assertion_texts(edit.before)
            missed += [
                f"{edit.path}:{node.lineno}"
                for node in _assertions(edit.after)
                if not seen & set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
                and ast.unparse(node) not in known
            ]
        return missed

    def _note_coverage(self, base: MeasuredTree, head: MeasuredTree) -> None:
        files = () if head.project is None else head.project.files
        measured = base if base.project is not None else MeasuredTree(head.project, base.coverage)
        before, after = covered(measured, files), covered(head, files)
        total = lines_to_cover(head, files)
        if total:
            self.found.note("coverage.lines.before", len(before.lines & total) / len(total))
            self.found.note("coverage.lines.after", len(after.lines & total) / len(total))
        self.found.note("coverage.branches.before", len(before.branches))
        self.found.note("coverage.branches.after", len(after.branches))
        new_lines = after.lines - before.lines
        new_branches = after.branches - before.branches
        self.found.note("coverage.new_branches", len(new_branches))
        self.found.note("coverage.new_lines", len(new_lines))
        self.found.note("coverage.gained", len(new_lines) + len(new_branches))
        self._new_lines = new_lines

    def _note_mutants(self, base: MeasuredTree, head: MeasuredTree, new: frozenset[str]) -> None:
        lines = lines_of_tests(head.coverage, new)
        if not lines or self.plan.seconds_left < LEAST_SECONDS:
            return
        after = judge_mutants(head, self.sandbox, self.plan, lines)
        if not base.runs_code:
            before = unnoticed(after)
        else:
            before = judge_mutants(base, self.sandbox, self.plan, lines)
        compared = MutantsCompared(before, after)
        killed = compared.newly_killed
        self.found.note("mutants.judged", len(compared.common))
        self.found.note_names("mutants.newly_killed", killed)
        for when in ("before", "after"):
            if (score := compared.score(when)) is not None:
                self.found.note(f"mutants.score.{when}", score)
        reached = [
            name
            for name in compared.common
            if not compared.was_seen(name)
            and (after[name].mutant.file, after[name].mutant.line) in self._new_lines
        ]
        self.found.note("mutants.reached", len(set(reached) | set(killed)))
        self._note_assertions(head, after, killed)
        self._note_blunt(head, new, after)

    def _note_blunt(
        self, head: MeasuredTree, new: frozenset[str], after: Mapping[str, JudgedMutant]
    ) -> None:
        """New tests whose assertions have noticed nothing so far, each on its own."""
        noticed = self.found.details.get("mutants.killed_by_assertion", ())
        proven = {_function(after[name].killer) for name in noticed if name in after}
        blunt = []
        for name in sorted({_function(each) for each in new} - proven)[:_SUSPECTS]:
            if self.plan.seconds_left < LEAST_SECONDS:
                return
            tests = frozenset(each for each in new if _function(each) == name)
            if self._is_blunt(head, name, lines_of_tests(head.coverage, tests)):
                blunt.append(name)
        self.found.note_names("tests.blunt", blunt)

    def _is_blunt(self, head: MeasuredTree, name: str, lines: Mapping[str, frozenset[int]]) -> bool:
        """Whether a test notices as much of the code it runs without its assertions."""
        judged = judge_with(head, (name,), self.sandbox, self.plan, lines)
        counted = [each for each in judged.values() if each.verdict.counts]
        seen = {each.mutant.id for each in counted if each.verdict.is_detected}
        if len(counted) < _ENOUGH or not seen:
            return len(counted) >= _ENOUGH
        change = self.trees.change
        left = judge_without_assertions(head, change, self.sandbox, self.plan, lines, (name,))
        if left is None:
            return False
        return not any(n in left and not left[n].verdict.is_detected for n in seen)

    def _note_assertions(
        self, head: MeasuredTree, after: Mapping[str, JudgedMutant], killed: tuple[str, ...]
    ) -> None:
        """Which of the newly killed live on when nothing is asserted."""
        if not killed:
            self.found.note("mutants.killed_by_assertion", 0.0)
            return
        if self.plan.seconds_left < LEAST_SECONDS:
            return
        lines: dict[str, frozenset[int]] = {}
        for name in spread_sample(killed, _STRIPPED, str):
            mutant = after[name].mutant
            lines[mutant.file] = lines.get(mutant.file, frozenset()) | {mutant.line}
        change = self.trees.change
        left = judge_without_assertions(head, change, self.sandbox, self.plan, lines)
        if left is not None:
            noticed = (n for n in killed if n in left and not left[n].verdict.is_detected)
            self.found.note_names("mutants.killed_by_assertion", noticed)


def _function(test: str | None) -> str:
    return (test or "").partition("[")[0]


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
