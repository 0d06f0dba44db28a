"""`reverie workflow run`."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.workflow import StepRun, Workflow, WorkflowRun
from reverie.model.workflow_reading import read_workflow
from reverie.model.workflow_score import WorkflowScore


def run_one(app: App, given: Mapping[str, Any]) -> int:
    """Run one workflow and show every step."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.workflows import open_shelf
    from reverie.scoring.workflow_runs import score_runs
    from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

    with (
        open_shelf(app.loaded) as shelf,
        open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox,
        WorkflowSandboxRunner(repository=app.repository.path, sandbox=sandbox) as runner,
    ):
        workflow = _asked(shelf.find, given)
        runs = [runner.run_workflow(workflow) for _ in range(given["runs"])]
        version = None
        if shelf.database is not None and not _is_changed(given):
            version = shelf.database.save(workflow, shelf.parent_of(workflow)).version
            for run in runs:
                shelf.database.record_run(workflow, run)
    shown = next((run for run in runs if not run.succeeded), runs[-1])
    score = score_runs(runs)
    if app.json:
        document = run_document(workflow, shown)
        emit_json({**document, "version": version, "score": score_document(score)})
    else:
        show_run(shown, score)
    return 0 if shown.succeeded else 1


def _asked(find: Callable[[str], Workflow], given: Mapping[str, Any]) -> Workflow:
    """The workflow that is meant: by name, or by its steps, with what the flags change."""
    names = given["names"]
    if all(":" in name for name in names):
        try:
            workflow = read_workflow("given", list(names))
        except ValueError as error:
            raise UsageError(str(error)) from error
    elif len(names) > 1:
        raise UsageError(
            f"one workflow at a time, or steps as module:callable, not {names[0]!r:.80}"
        )
    else:
        workflow = find(names[0])
    changed: dict[str, Any] = {}
    if given["params"] is not None:
        changed["params"] = _params(given["params"])
        changed["expected_outputs"] = {}
    if given["files"]:
        files = dict(_file(each) for each in given["files"])
        changed["test_data"] = {**workflow.test_data, **files}
    if given["safe_mode"]:
        changed["safe_mode"] = True
    return replace(workflow, **changed)


def _is_changed(given: Mapping[str, Any]) -> bool:
    is_by_steps = all(":" in name for name in given["names"])
    return is_by_steps or given["params"] is not None or bool(given["files"]) or given["safe_mode"]


def _params(text: str) -> dict[str, Any]:
    try:
        params = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--params is not JSON: {text!r:.80} ({error})") from error
    if not isinstance(params, dict):
        raise UsageError(f"--params must be a JSON object, not {text!r:.80}")
    return params


def _file(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise UsageError(f"--file must be NAME=PATH, not {text!r:.80}")
    try:
        return name, Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path!r}: {error}") from error


def run_document(workflow: Workflow, run: WorkflowRun) -> dict[str, Any]:
    """A run as JSON."""
    named = {"workflow": workflow.name, "digest": workflow.digest}
    told = pick(
        run,
        "outcome error_category error=error.message failed_step output steps changes safe_mode "
        "isolation duration_ms cpu_seconds peak_rss_bytes",
        output=run.output,
        steps=[step_document(step) for step in run.steps],
        changes=[pick(each, "path kind") for each in run.changes],
    )
    return {**named, **told}


def step_document(step: StepRun) -> dict[str, Any]:
    """One step of a run as JSON."""
    return pick(
        step,
        "name execution.outcome execution.error_category error=execution.error.message output "
        "output_type output_text execution.stdout execution.stderr duration_ms cpu_seconds "
        "peak_rss_bytes",
        output=step.output,
    )


def score_document(score: WorkflowScore) -> dict[str, Any]:
    """A score as JSON."""
    return pick(
        score,
        "runs success_rate wall_ms cpu_seconds peak_rss_bytes throughput stability bottleneck "
        "time_shares parts composite",
        wall_ms=pick(score, "p50=wall_ms_p50 p95=wall_ms_p95"),
        time_shares={step.name: step.time_share for step in score.steps},
    )


def show_run(run: WorkflowRun, score: WorkflowScore) -> None:
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
    if score.runs > 1:
        click.echo(
            f"{score.runs} runs, {score.success_rate:.0%} succeeded, "
            f"p50 {score.wall_ms_p50:.1f} ms, p95 {score.wall_ms_p95:.1f} ms, "
            f"composite {score.composite:.2f}"
        )
