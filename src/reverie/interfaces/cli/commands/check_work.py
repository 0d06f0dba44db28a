"""`reverie check-work`: the judge's word on work in progress, inside of an author's copy."""

import time
from pathlib import Path
from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.output import emit_json, printable
from reverie.interfaces.cli.progress import working
from reverie.interfaces.cli.views.judgements import judgement_document
from reverie.model.dream import Stage
from reverie.model.ruling import Verdict

_EXAMPLE = """
reverie check-work --static     # the quick checks alone
reverie check-work
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--static", is_flag=True, help="Only what can be read: run nothing.")
@setting_option("guard.budget_seconds")
@setting_option("sandbox.tier")
@click.pass_obj
def command(app: App, static: bool) -> int:
    """Say what the judge would say about the work in this copy.

    For agents: run it in the folder that the task names, before you say that you are done. The
    quick checks come first; what they refuse is not run. It is the judge that rules in the end,
    with the same limits. The exit code is 0 only when nothing speaks against the work.
    """
    from reverie.bootstrap.work import check_work

    began = time.monotonic()
    with working("checking the work"):
        checked = check_work(Path.cwd(), app.environ, app.overrides, is_static=static)
    document = {
        **judgement_document(checked.judged, checked.stage, time.monotonic() - began),
        "files": list(checked.change.paths),
        "advice": list(checked.advice),
    }
    if app.json:
        emit_json(document)
    else:
        _show(document)
    return 0 if checked.judged.judgement.verdict is Verdict.PROMOTE else 1


def _show(document: dict[str, Any]) -> None:
    for line in document["advice"]:
        click.echo(printable(line, multiline=True))
    changed = ", ".join(document["files"]) or "nothing"
    click.echo(printable(f"changed: {changed}"))
    click.echo(
        f"{document['verdict']} ({Stage(document['stage']).word}, {document['seconds']:.1f} s)"
    )
