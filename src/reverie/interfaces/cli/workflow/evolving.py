"""`reverie workflow evolve`."""

from collections.abc import Mapping
from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.interfaces.cli.workflow.listing import workflow_document
from reverie.model.codec import pick
from reverie.model.workflow_evolution import Evolution, EvolutionStatus, VariantTrial


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
        summary = {"reason": found.reason, "variants": [_trial(each) for each in found.trials]}
        version = shelf.keep(found, manager.source_hash(workflow), summary)
    document = _document(found, version)
    emit_json(document) if app.json else _show(document)
    return 0 if found.status is EvolutionStatus.PROMOTED else 1


def _document(found: Evolution, version: int | None) -> dict[str, Any]:
    return pick(
        found,
        "workflow=workflow.name status reason promoted branch=is_branch version roi_delta ema "
        "variants interactions",
        promoted=None if found.promoted is None else workflow_document(found.promoted),
        version=version,
        variants=[_trial(each) for each in found.trials],
    )


def _trial(trial: VariantTrial) -> dict[str, Any]:
    return pick(
        trial,
        "variant.kind variant.title steps verdict reason compared_runs equivalence "
        "speedup=benchmark.judgement.speedup roi=roi_minutes",
        steps=[step.document() for step in trial.variant.workflow.steps],
    )


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
