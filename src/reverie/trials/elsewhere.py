"""The suite on another machine, in a plain pytest: what fails there and passed before."""

from reverie.gates.paths import is_test_module
from reverie.instruments.suite.plain import PlainRun, run_plainly
from reverie.model.suite import TestEnd
from reverie.sandbox.engine import Sandbox
from reverie.trials.measuring import Findings
from reverie.trials.plan import TrialPlan
from reverie.trials.suites import MeasuredTree


def note_elsewhere(
    found: Findings, base: MeasuredTree, head: MeasuredTree, sandbox: Sandbox, plan: TrialPlan
) -> None:
    """Tests that the change makes depend on the machine.

    What fails elsewhere before the change as well is not its doing; what fails there once only
    comes and goes. A run that says nothing leaves the measure absent.
    """
    passing = [test.id for test in head.coverage.tests if test.outcome == "passed"]
    suspects = _failing(head, passing, sandbox, plan) if passing else []
    if suspects:
        before = None if base.project is None else _run(base, sandbox, plan)
        if before is None or before.silence is not None:
            return
        suspects = [name for name in suspects if before.end_of(name) is TestEnd.PASSED]
    if suspects:
        suspects = _failing(head, suspects, sandbox, plan)
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
