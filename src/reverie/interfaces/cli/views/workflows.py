"""The subcommands `list`, `run`, `compare` and `evolve` of `reverie workflow`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from reverie.errors import UsageError, reason_of
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.workflow import StepRun, Workflow, WorkflowRun, read_workflow
from reverie.model.workflow_evolution import (
    Evolution,
    EvolutionStatus,
    Overfitting,
    SynergyScores,
    VariantTrial,
    WorkflowScore,
)


def list_all(app: App, given: Mapping[str, Any]) -> int:
    """Show every known workflow."""
    from reverie.bootstrap.workflows import open_shelf

    with open_shelf(app.loaded) as shelf:
        named = shelf.named()
        more = [] if given["declared"] else shelf.found(dynamic=given["dynamic_workflows"])
        documents = [
            {
                **workflow_document(each),
                "version": shelf.version(each),
                "merged_into": shelf.merged_into(each),
                "missing": _missing(shelf, each) if not given["declared"] else None,
            }
            for each in (*named, *more)
        ]
    if app.json:
        emit_json({"workflows": documents})
    else:
        rows = [
            (each["name"], each["origin"], _steps(each), each["merged_into"] or "")
            for each in documents
        ]
        emit_table(("workflow", "origin", "steps", "merged into"), rows)
    return 0 if documents else 1


def workflow_document(workflow: Workflow) -> dict[str, Any]:
    """A workflow as JSON."""
    steps = [step.document() for step in workflow.steps]
    return pick(workflow, "name origin source digest steps", steps=steps)


def _missing(shelf: Any, workflow: Workflow) -> list[str]:
    """What the first step needs and nobody gives."""
    first = workflow.steps[0]
    given = {**first.params, **workflow.params}
    return list(shelf.around.catalogue.missing(str(first.target), given))


def _steps(document: Mapping[str, Any]) -> str:
    marks = {"each": "*", "cached": "!"}
    return " → ".join(
        step["call"] + "".join(mark for name, mark in marks.items() if step.get(name))
        for step in document["steps"]
    )


def run_one(app: App, given: Mapping[str, Any]) -> int:
    """Run one workflow and show every step."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.workflows import open_shelf
    from reverie.scoring.workflows import score_runs
    from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

    by_steps, changes = _by_steps(given["names"]), _changes(given)
    with (
        open_shelf(app.loaded, () if by_steps else given["names"]) as shelf,
        open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox,
        WorkflowSandboxRunner(repository=app.repository.path, sandbox=sandbox) as runner,
    ):
        workflow = _changed(by_steps or shelf.find(given["names"][0]), changes)
        runs = [runner.run_workflow(workflow) for _ in range(given["runs"])]
        version = None
        if shelf.database is not None and by_steps is None and not changes:
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


def _by_steps(names: Sequence[str]) -> Workflow | None:
    """The workflow that is given by its steps; None where a name is given."""
    if all(":" in name for name in names):
        try:
            return read_workflow("given", list(names))
        except ValueError as error:
            raise UsageError(str(error)) from error
    if len(names) > 1:
        raise UsageError(
            f"one workflow at a time, or steps as module:callable, not {names[0]!r:.80}"
        )
    return None


def _changes(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the flags change of a workflow."""
    changes: dict[str, Any] = {}
    if given["params"] is not None:
        changes["params"] = _params(given["params"])
        changes["expected_outputs"] = {}
    if given["files"]:
        changes["test_data"] = dict(_file(each) for each in given["files"])
    if given["safe_mode"]:
        changes["safe_mode"] = True
    return changes


def _changed(workflow: Workflow, changes: Mapping[str, Any]) -> Workflow:
    data = {**workflow.test_data, **changes.get("test_data", {})}
    return replace(workflow, **{**changes, "test_data": data})


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
        raise UsageError(f"cannot read {path!r}: {reason_of(error)}") from error


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


def compare(app: App, given: Mapping[str, Any]) -> int:
    """Show how alike two workflows are; merge them where that is asked and they are copies."""
    from reverie.bootstrap.workflows import comparator_of, open_shelf

    first, second = given["first"], given["second"]
    with open_shelf(app.loaded, [first, second]) as shelf:
        comparator = comparator_of(shelf)
        scores = comparator.compare(shelf.find(first), shelf.find(second))
        is_duplicate = comparator.is_duplicate(scores)
        is_mergeable = comparator.is_mergeable(scores)
        is_merged = given["merge"] and is_duplicate
        if is_merged:
            comparator.merge_duplicate(first, second)
    document = {
        "a": first,
        "b": second,
        **_comparison_document(scores),
        "duplicate": is_duplicate,
        "mergeable": is_mergeable,
        "merged": is_merged,
    }
    emit_json(document) if app.json else _show_comparison(document)
    return 1 if given["merge"] and not is_merged else 0


def _comparison_document(scores: SynergyScores) -> dict[str, Any]:
    document = asdict(scores)
    for side, found in (("overfit_a", scores.overfit_a), ("overfit_b", scores.overfit_b)):
        document[side] = _overfitting(found)
    return {**document, "entropy_gap": scores.entropy_gap}


def _overfitting(found: Overfitting) -> dict[str, Any]:
    return pick(found, "overfit=is_overfit entropy low_entropy=is_low_entropy repeated")


def _show_comparison(document: Mapping[str, Any]) -> None:
    names = ("similarity", "shared_module_ratio", "entropy_a", "entropy_b", "efficiency",
             "modularity", "aggregate")  # fmt: skip
    rows = [(name, "-" if document[name] is None else f"{document[name]:.3f}") for name in names]
    emit_table(("figure", "value"), rows)
    for name, side in ((document["a"], "overfit_a"), (document["b"], "overfit_b")):
        if document[side]["overfit"]:
            click.echo(
                printable(f"{name} leans on too few modules: {document[side]['entropy']:.2f} bits")
            )
    said = "copies of one another" if document["duplicate"] else "not copies of one another"
    click.echo(said + (", merged" if document["merged"] else ""))


def evolve(app: App, given: Mapping[str, Any]) -> int:
    """Try variants of one workflow, and keep the best where there is a journal."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.workflows import evolution_manager, open_shelf

    with (
        open_shelf(app.loaded, [given["name"]]) as shelf,
        open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox,
    ):
        workflow = shelf.find(given["name"])
        manager = evolution_manager(sandbox, shelf, app.settings, given["seed"])
        found = manager.evolve(workflow, given["limit"], force=given["force"])
        summary = {
            "reason": found.reason,
            "variants": [_evolution_trial(each) for each in found.trials],
        }
        version = shelf.keep(found, manager.source_hash(workflow), summary)
    document = _evolution_document(found, version)
    emit_json(document) if app.json else _show_evolution(document)
    return 0 if found.status is EvolutionStatus.PROMOTED else 1


def _evolution_document(found: Evolution, version: int | None) -> dict[str, Any]:
    return pick(
        found,
        "workflow=workflow.name status reason promoted branch=is_branch version roi_delta ema "
        "variants interactions",
        promoted=None if found.promoted is None else workflow_document(found.promoted),
        version=version,
        variants=[_evolution_trial(each) for each in found.trials],
    )


def _evolution_trial(trial: VariantTrial) -> dict[str, Any]:
    return pick(
        trial,
        "variant.kind variant.title steps verdict reason compared_runs equivalence "
        "speedup=benchmark.judgement.speedup roi=roi_points",
        steps=[step.document() for step in trial.variant.workflow.steps],
    )


def _show_evolution(document: Mapping[str, Any]) -> None:
    rows = [
        (
            each["kind"],
            each["title"],
            each["verdict"],
            "-" if each["speedup"] is None else f"{each['speedup']['p50']['value']:.2f}x",
            each["reason"],
        )
        for each in document["variants"]
    ]
    if rows:
        emit_table(("kind", "variant", "verdict", "speed-up", "reason"), rows)
    for each in document["interactions"]:
        click.echo(printable(f"{each['first']} with {each['second']}: {each['kind']}"))
    click.echo(printable(f"{document['status']}: {document['reason']}"))
