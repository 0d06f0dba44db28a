"""`reverie workflow run`."""

from collections.abc import Mapping
from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.workflow import StepRun, Workflow, WorkflowRun


def run_one(app: App, given: Mapping[str, Any]) -> int:
    """Run one workflow and show every step."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.workflows import known_workflows
    from reverie.workflows.declared import workflow_named
    from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

    workflow = workflow_named(given["name"], known_workflows(app.loaded))
    with (
        open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox,
        WorkflowSandboxRunner(repository=app.repository.path, sandbox=sandbox) as runner,
    ):
        run = runner.run_workflow(workflow)
    if app.json:
        emit_json(run_document(workflow, run))
    else:
        show_run(run)
    return 0 if run.succeeded else 1


def run_document(workflow: Workflow, run: WorkflowRun) -> dict[str, Any]:
    """A run as JSON."""
    return {
        "workflow": workflow.name,
        "digest": workflow.digest,
        "outcome": run.outcome,
        "error_category": run.error_category,
        "error": None if run.error is None else run.error.message,
        "failed_step": run.failed_step,
        "output": run.output,
        "steps": [step_document(step) for step in run.steps],
        "changes": [{"path": each.path, "kind": each.kind} for each in run.changes],
        "safe_mode": run.safe_mode,
        "isolation": run.isolation,
        "duration_ms": run.duration_ms,
        "cpu_seconds": run.cpu_seconds,
        "peak_rss_bytes": run.peak_rss_bytes,
    }


def step_document(step: StepRun) -> dict[str, Any]:
    """One step of a run as JSON."""
    execution = step.execution
    return {
        "name": step.name,
        "outcome": execution.outcome,
        "error_category": execution.error_category,
        "error": None if execution.error is None else execution.error.message,
        "output": step.output,
        "output_type": step.output_type,
        "output_text": step.output_text,
        "stdout": execution.stdout,
        "stderr": execution.stderr,
        "duration_ms": step.duration_ms,
        "cpu_seconds": step.cpu_seconds,
        "peak_rss_bytes": step.peak_rss_bytes,
    }


def show_run(run: WorkflowRun) -> None:
    """A run as a table, and how it ended."""
    rows = [
        (
            step.name,
            step.execution.outcome,
            f"{step.duration_ms:.1f} ms",
            "-" if step.cpu_seconds is None else f"{step.cpu_seconds * 1000:.1f} ms",
            "-" if step.peak_rss_bytes is None else f"{step.peak_rss_bytes / 2**20:.1f} MiB",
        )
        for step in run.steps
    ]
    emit_table(("step", "outcome", "wall", "cpu", "memory"), rows)
    said = f"{run.outcome}" if run.error is None else f"{run.outcome}: {run.error.message}"
    click.echo(printable(said))
