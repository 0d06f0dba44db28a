"""`CompositeWorkflowScorer`: run a workflow some times, and say what it is like."""

from collections.abc import Callable
from typing import Any

from reverie.errors import UsageError
from reverie.model.workflow import Workflow, WorkflowRun
from reverie.model.workflow_score import WorkflowScore
from reverie.scoring.workflow_runs import score_runs
from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

RUNS = 3
Told = Callable[[Workflow, WorkflowRun], Any]


class CompositeWorkflowScorer:
    """Scores workflows by running them in the sandbox."""

    def __init__(
        self, runner: WorkflowSandboxRunner, told: Told = lambda workflow, run: None
    ) -> None:
        """`told` hears of every run."""
        self._runner = runner
        self._told = told

    def score(
        self, workflow: Workflow, runs: int = RUNS, baseline: WorkflowScore | None = None
    ) -> WorkflowScore:
        """The score of so many runs on the workflow's own data."""
        if runs < 1:
            raise UsageError(f"a workflow is scored by at least one run, not {runs}")
        done = []
        for _ in range(runs):
            done.append(self._runner.run_workflow(workflow))
            self._told(workflow, done[-1])
        return score_runs(done, baseline)
