"""`reverie scenarios`: the faults that workflows are stressed with, listed and written down."""

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, NewFile, setting_option
from reverie.interfaces.cli.output import emit_json, emit_table

_EXAMPLE = """
reverie scenarios list
reverie scenarios generate --profiles hostile_input,high_latency_api --out presets.json
reverie workflow stress import_orders --preset-file presets.json
"""


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """List the scenarios that a workflow can be stressed with, and write them as presets.

    Each has the levels low and high. A preset is a JSON object that can be edited.
    """


@command.command("list", cls=Command, example="reverie scenarios list --workflow import_orders")
@click.option("--workflow", metavar="NAME", help="Only those that its words suggest.")
@setting_option("scenarios.mode")
@click.pass_obj
def list_scenarios(app: App, workflow: str | None) -> int:
    """List the presets in force; the exit code is 1 when there is none."""
    from reverie.workflows.scenarios.presets import preset_document, turns_of_presets

    words = None if workflow is None else _suggested(app, workflow)
    (presets,) = turns_of_presets(app.settings.scenarios, (), 1, _texts(app, workflow))
    if words is not None:
        presets = tuple(each for each in presets if each.scenario in words)
    documents = [preset_document(each) for each in presets]
    if app.json:
        hits = None if words is None else {name: list(some) for name, some in words.items()}
        emit_json({"presets": documents, "keywords": hits})
    else:
        rows = [(each.scenario, each.level, _faults(preset_document(each))) for each in presets]
        emit_table(("scenario", "level", "faults"), rows)
    return 0 if presets else 1


@command.command("generate", cls=Command, example="reverie scenarios generate --out presets.json")
@click.option("--profiles", metavar="NAMES", multiple=True, help="Scenarios, split by commas.")
@click.option("--level", type=click.Choice(("low", "high")), multiple=True, help="Only this.")
@click.option("--keywords", metavar="WORDS", help="Those that these words suggest.")
@click.option(
    "--out", type=NewFile(), metavar="FILE", help="Write them there; otherwise they are printed."
)
@click.argument("more", metavar="[SCENARIO]...", nargs=-1)
@click.pass_obj
def generate(
    app: App,
    profiles: tuple[str, ...],
    level: tuple[str, ...],
    keywords: str | None,
    out: str | None,
    more: tuple[str, ...],
) -> int:
    """Write presets of the canonical scenarios as JSON; the exit code is 1 when there is none."""
    from reverie.workflows.scenarios.presets import (
        SCENARIOS,
        canonical_preset,
        preset_document,
        suggested_scenarios,
        write_preset_file,
    )

    names = [name for each in (*profiles, *more) for name in each.split(",") if name]
    if keywords is not None:
        names += suggested_scenarios([keywords])
    if not names and keywords is None:
        names = list(SCENARIOS)
    presets = [
        canonical_preset(name, each)
        for name in dict.fromkeys(names)
        for each in level or ("low", "high")
    ]
    if out is not None and presets:
        write_preset_file(out, presets)
    documents = [preset_document(each) for each in presets]
    if app.json:
        emit_json({"presets": documents, "file": out if presets else None})
    elif out is None:
        emit_json(documents)
    else:
        click.echo(f"{len(presets)} presets in {out}" if presets else "no scenario fits")
    return 0 if presets else 1


def _suggested(app: App, workflow: str) -> dict[str, tuple[str, ...]]:
    from reverie.workflows.scenarios.presets import suggested_scenarios

    return suggested_scenarios(_texts(app, workflow))


def _texts(app: App, workflow: str | None) -> list[str]:
    from reverie.bootstrap.workflows import find_workflow, texts_of
    from reverie.model.settings.workflows import PresetMode

    if workflow is None:
        if app.settings.scenarios.mode is PresetMode.KEYWORDS:
            raise UsageError("mode keywords needs --workflow: its words choose the scenarios")
        return []
    return list(texts_of(find_workflow(app.loaded, workflow), app.repository.path))


def _faults(document: dict[str, object]) -> str:
    rest = {name: value for name, value in document.items() if name[:5] not in ("SCENA", "LEVEL")}
    return ", ".join(f"{name}={value}" for name, value in rest.items())
