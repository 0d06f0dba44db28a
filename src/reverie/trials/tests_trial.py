"""The trial of new tests: are they stable, do they see more, and do their assertions do it?

    evidence = try_tests(trees, sandbox, TrialPlan(section))

Guardrails come first (`gates.judge.judge_statically`): what they refuse is not worth a trial.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from reverie.gates.paths import is_test_module
from reverie.instruments.mutation.mutant_texts import spread_sample
from reverie.model.dream import Stage
from reverie.model.measurements.suite import JudgedMutant, MutantVerdict
from reverie.model.ruling import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.trials.findings import Findings
from reverie.trials.gains import note_conditions
from reverie.trials.keepability import note_keeping
from reverie.trials.mutants import (
    FEW,
    Lines,
    MutantsCompared,
    judge_added,
    judge_mutants,
    judge_with,
    judge_without_assertions,
    pinned_tests,
    unnoticed,
    with_mutants,
)
from reverie.trials.new_tests import NewTests
from reverie.trials.plan import LEAST_SECONDS, Trees, TrialPlan
from reverie.trials.suites import (
    MeasuredTree,
    SuiteChange,
    compare_suites,
    confirm_failing,
    confirm_weaker,
    covered,
    lines_of_tests,
    lines_to_cover,
    measure_tree,
)

_SUSPECTS = 6
_ENOUGH = 3
"""Mutants of which one at least should be noticed by a test that runs them."""
_STRIPPED = 60
"""Newly killed mutants that are judged again without assertions."""


def try_tests(trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything that stage A asks for, measured on both trees."""
    return TestTrial(trees, sandbox, plan).run()


class TestTrial:
    """One trial, step by step: what a step could not measure stays absent."""

    __test__ = False
    stage: ClassVar[Stage] = Stage.A

    def __init__(self, trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> None:
        self.trees = trees
        self.sandbox = sandbox.also_telling(plan.spending)
        self.plan = plan
        self.found = Findings()
        self._written = tuple(e.path for e in trees.change.edits if e.after is not None)
        self.files = tuple(path for path in self._written if is_test_module(path))

    def run(self) -> Evidence:
        """Cheap measures first."""
        bar = self.plan.section.keepability
        note_keeping(self.found, self.trees.change, self.trees.base, bar)
        if self._is_unkeepable:
            return self.found.evidence(self.stage, self.trees, self.sandbox, self.plan)
        base = measure_tree(self.trees.base, self.sandbox, self.plan)
        known = base if self._only_adds else None
        head = measure_tree(self.trees.head, self.sandbox, self.plan, fewer=known)
        # A project may say itself which files hold tests: whatever was collected does.
        collected = head.test_files.intersection(self._written)
        self.files = tuple(dict.fromkeys((*self.files, *sorted(collected))))
        suites = compare_suites(base, head, self.trees.change)
        suites = confirm_weaker(suites, self.trees, self.sandbox, self.plan)
        suites = confirm_failing(suites, base, head, self.sandbox, self.plan)
        self.found.note_suites(len(base.coverage.tests), suites)
        self.found.note_part(self.plan)
        self.found.note_passing(head)
        new = self._tests_on_trial(head, suites)
        self.found.note_names("tests.new", new)
        if new and head.project is not None:
            on_trial = NewTests(head, self.trees.change, self.files, new, base)
            on_trial.note_runs(self.found, self.sandbox, self.plan)
            self._note_coverage(base, head)
            if self._is_steady:
                self._note_mutants(base, head, frozenset(new))
        self.note_more()
        return self.found.evidence(self.stage, self.trees, self.sandbox, self.plan)

    def note_more(self) -> None:
        """What other trials that begin with tests measure besides."""

    @property
    def _is_unkeepable(self) -> bool:
        """Whether tests that were written here are below the bar: they go before anything runs."""
        is_judged = self.plan.is_own and self.stage is Stage.A
        return is_judged and bool(self.found.measures.get("tests.unkeepable"))

    @property
    def _is_steady(self) -> bool:
        """Whether every new test passed in every run: only then are mutants worth the time."""
        found = self.found.measures
        wrong = ("tests.failing", "tests.unstable", "tests.skipped", "tests.only_here")
        return "tests.passed_runs" in found and not any(found.get(name) for name in wrong)

    @property
    def _only_adds(self) -> bool:
        """Whether the suite before is a part of the suite after, and nothing disturbs it."""
        return self.plan.is_own and all(edit.before is None for edit in self.trees.change.edits)

    def _tests_on_trial(self, head: MeasuredTree, suites: SuiteChange) -> tuple[str, ...]:
        """New tests; where a change only adds to tests that were there, all of its files."""
        in_files = [name for name in head.by_id if name.partition("::")[0] in self.files]
        new = [name for name in in_files if name in suites.new]
        return tuple(new or in_files)

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
        doubted: list[str] = []
        compared = self._compared(base, head, lines, doubted)
        self.found.note_names("mutants.doubted", doubted)
        if doubted:
            return  # a score that fresh processes do not confirm is none
        after = compared.after
        killed = compared.newly_killed
        self.found.note("mutants.judged", len(compared.common))
        self.found.note_names("mutants.newly_killed", killed)
        note_conditions(self.found, (after[name].mutant for name in killed))
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
        pinned = pinned_tests(head, self.files, after, self.sandbox, self.plan)
        self.found.note_names("tests.pinned", pinned)
        self._note_assertions(head, after, killed)
        self._note_blunt(head, new, after)

    def _compared(
        self, base: MeasuredTree, head: MeasuredTree, lines: Lines, doubted: list[str]
    ) -> MutantsCompared:
        """The mutants of lines that the new tests run, without and with them."""
        if base.runs_code and self._only_adds:
            return judge_added(base, head, lines, self.sandbox, self.plan, doubted)
        after = judge_mutants(head, self.sandbox, self.plan, lines, doubted=doubted)
        if doubted:
            return MutantsCompared({}, after)
        if not base.runs_code:
            return MutantsCompared(unnoticed(after), after)
        return MutantsCompared(judge_mutants(base, self.sandbox, self.plan, lines), after)

    def _note_blunt(
        self, head: MeasuredTree, new: frozenset[str], after: Mapping[str, JudgedMutant]
    ) -> None:
        """New tests whose assertions notice nothing: all suspects at once, then one by one."""
        noticed = self.found.details.get("mutants.killed_by_assertion", ())
        proven = {_function(after[name].killer) for name in noticed if name in after}
        suspects = sorted({_function(each) for each in new} - proven)[:_SUSPECTS]
        if len(suspects) > 1 and self.plan.seconds_left >= LEAST_SECONDS:
            sharp = {_function(each.killer) for each in self._noticed_by(head, new, suspects)}
            suspects = [name for name in suspects if name not in sharp]
        blunt = []
        for name in suspects:
            if self.plan.seconds_left < LEAST_SECONDS:
                return
            if self._is_blunt(head, new, name):
                blunt.append(name)
        self.found.note_names("tests.blunt", blunt)

    def _is_blunt(self, head: MeasuredTree, new: frozenset[str], name: str) -> bool:
        """Whether a test notices as much of the code it runs without its assertions.

        A few mutants can show that it is sharp; that it is blunt only as many as may be judged.
        """
        lines = lines_of_tests(head.coverage, _cases(new, (name,)))
        few, many = FEW, self.plan.section.mutants
        return self._is_blunt_on(head, lines, name, few) and (
            few >= many or self._is_blunt_on(head, lines, name, many)
        )

    def _is_blunt_on(
        self, head: MeasuredTree, lines: Mapping[str, frozenset[int]], name: str, most: int
    ) -> bool:
        judged = judge_with(head, (name,), self.sandbox, self.plan, lines, most)
        counted = [each for each in judged.values() if each.verdict.counts]
        seen = {each.mutant.id for each in counted if each.verdict.is_detected}
        if len(counted) < _ENOUGH or not seen:
            return len(counted) >= _ENOUGH
        left = self._left_without_assertions(head, lines, (name,), most)
        return left is not None and not any(n in left for n in seen)

    def _noticed_by(
        self, head: MeasuredTree, new: frozenset[str], suspects: Sequence[str]
    ) -> list[JudgedMutant]:
        """Mutants that an assertion of some tests notices, each with the test that did first."""
        lines = lines_of_tests(head.coverage, _cases(new, suspects))
        most = FEW * len(suspects)
        judged = judge_with(head, tuple(suspects), self.sandbox, self.plan, lines, most)
        left = self._left_without_assertions(head, lines, tuple(suspects), most) or frozenset()
        return [judged[name] for name in left if name in judged and _is_seen(judged[name])]

    def _left_without_assertions(
        self,
        head: MeasuredTree,
        lines: Mapping[str, frozenset[int]],
        tests: tuple[str, ...] = (),
        most: int | None = None,
        mutants: frozenset[str] | None = None,
    ) -> frozenset[str] | None:
        """Mutants that live on when nothing is asserted; None when the tests cannot run so."""
        change, plan = self.trees.change, with_mutants(self.plan, most)
        left = judge_without_assertions(head, change, self.sandbox, plan, lines, tests, mutants)
        if left is None:
            return None
        return frozenset(name for name, each in left.items() if not each.verdict.is_detected)

    def _note_assertions(
        self, head: MeasuredTree, after: Mapping[str, JudgedMutant], killed: tuple[str, ...]
    ) -> None:
        """Which of the newly killed live on when nothing is asserted.

        One that made a test run on for ever does so whatever the test would have asserted.
        """
        if not killed:
            self.found.note("mutants.killed_by_assertion", 0.0)
            return
        if self.plan.seconds_left < LEAST_SECONDS:
            return
        lines: dict[str, frozenset[int]] = {}
        ended = [name for name in killed if after[name].verdict is not MutantVerdict.TIMEOUT]
        asked = spread_sample(ended, _STRIPPED, str)
        for name in asked:
            mutant = after[name].mutant
            lines[mutant.file] = lines.get(mutant.file, frozenset()) | {mutant.line}
        left = self._left_without_assertions(head, lines, mutants=frozenset(asked))
        if left is not None:
            self.found.note_names("mutants.killed_by_assertion", (n for n in killed if n in left))


def _cases(tests: frozenset[str], functions: Sequence[str]) -> frozenset[str]:
    return frozenset(each for each in tests if _function(each) in functions)


def _is_seen(judged: JudgedMutant) -> bool:
    return judged.verdict.counts and judged.verdict.is_detected


def _function(test: str | None) -> str:
    return (test or "").partition("[")[0]
