"""Findings of a trial so far, and how they become evidence.

One of them: the suite on another machine, in a plain pytest, and what fails there and passed
before.
"""

import sys
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version

from reverie.gates.paths import is_test_module, is_test_path
from reverie.gates.python import parse
from reverie.gates.quality import decisions_of
from reverie.instruments.suite.plain import PlainRun, run_plainly
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.measurements.suite import TestEnd
from reverie.model.ruling import Evidence
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import Trees, TrialPlan
from reverie.trials.reaching import ASKED, LEFT_OUT
from reverie.trials.suites import MeasuredTree, SuiteChange

_MOST_NAMES = 50
_LOOKS = 3
"""Before and after the change, turn by turn, at tests that fail on another machine."""


class Findings:
    """Measures by name, with the names behind them: what is not noted stays absent."""

    def __init__(self) -> None:
        self.measures: dict[str, float] = {}
        self.details: dict[str, tuple[str, ...]] = {}

    def note(self, name: str, value: float) -> None:
        """A figure."""
        self.measures[name] = float(value)

    def note_names(self, name: str, found: Iterable[str]) -> None:
        """How many there are, and which."""
        names = tuple(found)
        self.measures[name] = float(len(names))
        if names:
            self.details[name] = names[:_MOST_NAMES]

    def note_suites(self, tests: int, suites: SuiteChange) -> None:
        """What became of the tests that were there."""
        self.note("suite.tests", tests)
        self.note_names("suite.failing_before", suites.failing_before)
        failing = suites.with_reasons(suites.newly_failing)
        self.note_names("suite.newly_failing", failing)
        self.note_names("suite.lost", suites.lost)
        self.note_names("suite.weaker", suites.weaker)
        self.note_names("suite.mended", suites.mended)
        self.note_names("suite.wavering", suites.wavering)
        if suites.flaky:
            self.note_names("suite.flaky", suites.flaky)

    def note_part(self, plan: TrialPlan) -> None:
        """What was asked of a suite that was not run as a whole: a proof asks the same again."""
        if plan.reaching is not None:
            self.note(LEFT_OUT, plan.reaching.left_out)
            self.details[ASKED] = plan.reaching.files

    def note_passing(self, head: MeasuredTree) -> None:
        """How many tests pass with the change: what a baseline is held against."""
        passing = sum(test.outcome == "passed" for test in head.coverage.tests)
        self.note("suite.passing.after", passing)

    def note_complexity(self, change: Change, section: GuardSection) -> None:
        """Decisions in the production files of a change, added or removed."""
        grown = 0
        for edit in change.edits:
            if edit.path.endswith(".py") and not is_test_path(edit.path, section):
                before, after = (parse(edit.path, text or "") for text in (edit.before, edit.after))
                if before is not None and after is not None:
                    grown += decisions_of(after.tree) - decisions_of(before.tree)
        self.note("complexity.added" if grown > 0 else "complexity.removed", abs(grown))

    def evidence(self, stage: Stage, trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
        """Everything found, with all it takes to find it again."""
        self.note("compute.minutes", plan.spending.wall_seconds / 60)
        limits = {
            k: float(v) for k, v in asdict(plan.section).items() if isinstance(v, int | float)
        }
        versions = {name: version(name) for name in ("pytest", "reverie")}
        return Evidence(
            measures=self.measures,
            seed=plan.seed,
            isolation=sandbox.tier,
            command=("reverie", "guard", "--stage", str(stage)),
            limits=limits,
            hashes={"change": trees.change.digest},
            versions={"python": sys.version.partition(" ")[0], **versions},
            details=self.details,
        )


def note_elsewhere(
    found: Findings, base: MeasuredTree, head: MeasuredTree, sandbox: Sandbox, plan: TrialPlan
) -> None:
    """Tests that the change makes depend on the machine.

    What fails elsewhere before the change as well is not its doing; what fails there now and then
    only comes and goes. A run that says nothing leaves the measure absent.
    """
    passing = [test.id for test in head.coverage.tests if test.outcome == "passed"]
    suspects = _failing(head, passing, sandbox, plan) if passing else []
    for _ in range(_LOOKS):
        if not suspects:
            break
        before = None if base.project is None else _run(base, sandbox, plan)
        if before is None or before.silence is not None:
            return
        suspects = [name for name in suspects if before.end_of(name) is TestEnd.PASSED]
        suspects = _failing(head, suspects, sandbox, plan) if suspects else []
    if suspects is not None:
        found.note_names("suite.machine", suspects)


def _failing(
    tree: MeasuredTree, names: list[str], sandbox: Sandbox, plan: TrialPlan
) -> list[str] | None:
    """Those that do not pass; None where the run says nothing."""
    run = _run(tree, sandbox, plan)
    if run.silence is not None:
        return None
    return [name for name in names if run.end_of(name) is not TestEnd.PASSED]


def _run(tree: MeasuredTree, sandbox: Sandbox, plan: TrialPlan) -> PlainRun:
    if tree.project is None:
        return PlainRun({}, "no tests")
    files = {test.id.partition("::")[0] for test in tree.coverage.tests}
    beside = sorted(files, key=lambda file: (not is_test_module(file), file))[:1]
    tests = tree.project.tests
    return run_plainly(sandbox, tree.project, tests, beside, plan.wall_seconds_left)
