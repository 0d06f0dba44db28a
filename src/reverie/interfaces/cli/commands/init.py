"""`reverie init`: prepare a repository."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.output import emit_json, printable
from reverie.interfaces.cli.views.three_settings import ask, can_ask, explained
from reverie.model.outcome import counted
from reverie.settings.repository import is_repository

if TYPE_CHECKING:
    from reverie.bootstrap.preparing import Plan

_EXAMPLE = """
reverie init --dry-run
reverie init path/to/repository
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option(
    "--settings/--no-settings",
    "has_settings",
    default=True,
    help="Whether settings are written; otherwise only the folder is made.",
)
@click.option("--yes", is_flag=True, help="Ask nothing: take the proposed values.")
@click.option("--adopt", is_flag=True, help="Take over a folder that does not carry your mark.")
@click.pass_obj
def command(app: App, dry_run: bool, has_settings: bool, yes: bool, adopt: bool) -> None:
    """Prepare a repository: its settings in pyproject.toml, its folder for the journal (.reverie).

    The repository is looked at, not run: where imports start, where its tests are, what was copied
    here, how often it changes. What that says is written to [tool.reverie], each value with its
    reason; what stands there already is kept, and so is every other byte. On a terminal the three
    settings that matter most are asked about and explained. From then on executions
    are recorded. The folder ignores itself in git. Running it again changes nothing. A folder that
    came with the repository is not believed: look into it before you adopt it.
    """
    from reverie.bootstrap.preparing import adopt as take_over
    from reverie.bootstrap.preparing import plan_settings, prepare
    from reverie.promotion.git import Git

    loaded = app.loaded
    if not is_repository(loaded.repository):
        raise UsageError(f"{loaded.repository} is no repository: no .git and no pyproject.toml")
    git = Git.find(loaded.repository)
    if git is not None:
        git.run("rev-parse", "--git-dir")  # a damaged one is said before anything is written
    if adopt and not dry_run:
        take_over(loaded.data_folder)
    plan = plan_settings(loaded) if has_settings else None
    is_asked = plan is not None and not (yes or dry_run or app.json) and can_ask()
    if plan is not None and is_asked:
        plan = plan_settings(loaded, ask(plan, loaded))
    folder = loaded.data_dir
    created = not folder.is_dir() if dry_run else prepare(folder, plan)
    document = {
        "repository": loaded.repository,
        "data_dir": folder,
        "created": created,
        "dry_run": dry_run,
        **_settings_document(plan),
    }
    if app.json:
        emit_json(document)
        return
    _show(document, plan)
    if plan is not None and not is_asked:
        for line in explained(plan, app.settings):
            click.echo(line)
    if not dry_run:
        click.echo("next: reverie run --budget 10m")


def _settings_document(plan: "Plan | None") -> dict[str, Any]:
    if plan is None:
        return {"file": None, "changed": False, "diff": "", "settings": [], "seen": None}
    states = (("written", plan.written), ("kept", plan.kept), ("left_out", plan.left_out))
    settings = [
        {"key": each.key, "state": state, "value": each.value, "why": each.why}
        for state, proposals in states
        for each in proposals
    ]
    return {
        "file": plan.file,
        "changed": plan.after is not None,
        "diff": plan.diff,
        "settings": settings,
        "seen": plan.outlook,
    }


def _show(document: dict[str, Any], plan: "Plan | None") -> None:
    state = "initialised" if document["created"] else "already initialised"
    if document["dry_run"]:
        state = "would be initialised" if document["created"] else state
    click.echo(printable(f"{state}: {document['data_dir']}"))
    if plan is None:
        return
    for line in _told(plan, document["dry_run"]):
        click.echo(printable(line))
    if document["dry_run"] and plan.diff:
        click.echo(printable(plan.diff, multiline=True), nl=False)


def _told(plan: "Plan", is_dry: bool) -> Iterator[str]:
    seen = plan.outlook
    tests = f"{counted(seen.test_files, 'file')} of tests" + (
        f" ({seen.framework})" if seen.framework else ""
    )
    yield f"seen: {counted(seen.modules, 'module')} ({seen.layout}), {tests}"
    verb = "would write" if is_dry else "wrote"
    for each in plan.written:
        yield f"{verb} {each.key} = {_shown(each.value)}"
    for each in plan.kept:
        yield f"kept {each.key}: {plan.file.name} or .env has it"
    for each in plan.left_out:
        yield f"left out {each.key} = {_shown(each.value)}: its table is written inline"


def _shown(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
