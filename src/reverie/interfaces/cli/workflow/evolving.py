"""`reverie workflow evolve`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.interfaces.cli.workflow.listing import workflow_document
from reverie.model.workflow_evolution import Evolution, EvolutionStatus, PastEvolution, VariantTrial

if TYPE_CHECKING:
    from reverie.bootstrap.workflows import WorkflowShelf


def evolve(app: App, given: Mapping[str, Any]) -> int:
    """Try variants of one workflow, and keep the best where there is a journal."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.workflows import evolution_manager, open_shelf

    with (
        open_shelf(app.loaded) as shelf,
        open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox,
    ):
        workflow = shelf.find(given["name"])
        manager = evolution_manager(sandbox, shelf, app.settings, given["seed"])
        found = manager.evolve(workflow, given["limit"], force=given["force"])
        version = _keep(shelf, found, manager.source_hash(workflow))
    document = _document(found, version)
    emit_json(document) if app.json else _show(document)
    return 0 if found.status is EvolutionStatus.PROMOTED else 1


def _keep(shelf: "WorkflowShelf", found: Evolution, source_hash: str) -> int | None:
    if shelf.database is None or found.status is EvolutionStatus.STABLE:
        return None
    past = PastEvolution(found.status, found.roi_delta, source_hash)
    summary = {"reason": found.reason, "variants": [_trial(each) for each in found.trials]}
    shelf.database.record_evolution(found.workflow.name, past, summary)
    return None if found.promoted is None else shelf.promote(found.promoted, found.workflow)


def _document(found: Evolution, version: int | None) -> dict[str, Any]:
    return {
        "workflow": found.workflow.name,
        "status": found.status,
        "reason": found.reason,
        "promoted": None if found.promoted is None else workflow_document(found.promoted),
        "branch": found.is_branch,
        "version": version,
        "roi_delta": found.roi_delta,
        "ema": found.ema,
        "variants": [_trial(each) for each in found.trials],
        "interactions": [asdict(each) for each in found.interactions],
    }


def _trial(trial: VariantTrial) -> dict[str, Any]:
    speed = None if trial.benchmark is None else trial.benchmark.judgement.speedup
    return {
        "kind": trial.variant.kind,
        "title": trial.variant.title,
        "steps": [step.document() for step in trial.variant.workflow.steps],
        "verdict": trial.verdict,
        "reason": trial.reason,
        "compared_runs": trial.compared_runs,
        "equivalence": None if trial.equivalence is None else trial.equivalence.document(),
        "speedup": None if speed is None else asdict(speed),
        "roi": trial.roi_minutes,
    }


def _show(document: Mapping[str, Any]) -> None:
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
