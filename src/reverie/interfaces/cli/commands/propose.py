"""`reverie propose`: a change by a model or an agent, and the gates' word on it."""

import os
import time
from pathlib import Path

import click

from reverie.bootstrap.kept_answers import own_answers
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.environments import environment_options, require_preflight
from reverie.interfaces.cli.output import printable
from reverie.model.dream import Stage
from reverie.model.ruling import Verdict

_EXAMPLE = """
reverie propose src/shop/prices.py --stage tests --patch prices.patch
reverie propose src/shop/prices.py --stage speed --wish "the lookup in total() is slow"
"""
_STAGES = (Stage.A, Stage.B, Stage.C)


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("path")
@click.option("--stage", required=True, metavar="WHAT", help="tests, refactoring or speed.")
@click.option("--author", default="model", metavar="NAME", help="Who is asked [default: model].")
@click.option("--wish", default="", metavar="TEXT", help="What to say besides.")
@click.option(
    "--patch", type=NewFile(), metavar="FILE", help="Write what was proposed there, as a diff."
)
@click.option("--no-evidence", is_flag=True, help="Do not look for mutants and failures first.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@environment_options()
@setting_option("guard.budget_seconds")
@setting_option("models.protocol")
@setting_option("models.most_calls")
@setting_option("sandbox.tier")
@click.pass_obj
def command(
    app: App,
    path: str,
    stage: str,
    author: str,
    wish: str,
    patch: str | None,
    no_evidence: bool,
    python: str | None,
) -> int:
    """Ask an author for a change to PATH, and judge it.

    What it proposes goes through the guardrails and trials that every change goes through; what is
    refused goes back to it with the reasons, a few times, and the best answer by evidence counts.
    The repository is not touched; --patch keeps what was proposed. The exit code is 0 only when
    the verdict is `promote`.
    """
    from reverie.bootstrap.models import Wanted, propose
    from reverie.interfaces.cli.views.judgements import judgement_document, show_judgement

    began = time.monotonic()
    wanted = Wanted(_inside(app, path), _stage(stage), wish, not no_evidence, author)
    found = propose(
        app.loaded, app.environ, wanted, lambda at: require_preflight(app, python, at)[0]
    )
    judged = judgement_document(found.judged, wanted.stage, time.monotonic() - began)
    document = {
        **judged,
        "id": own_answers(app.environ).keep(app.repository.path, found.change, judged),
        "author": found.author,
        "files": list(found.change.paths),
        "patch": found.change.diff(),
        "spent": dict(found.spent),
        "problems": list(found.problems),
    }
    if patch is not None:
        _write(patch, found.change.diff())
    if not app.json:
        click.echo(printable(f"{found.author} proposes: {', '.join(found.change.paths)}"))
    show_judgement(document, found.judged, "json" if app.json else "text")
    return 0 if found.judged.judgement.verdict is Verdict.PROMOTE else 1


def _inside(app: App, given: str) -> str:
    root = app.repository.path.resolve()
    place = Path(
        os.path.normpath(root / given if not Path(given).exists() else Path(given).absolute())
    )
    if not place.is_relative_to(root):
        raise UsageError(f"{given!r} is not inside of the repository")
    return place.relative_to(root).as_posix()


def _stage(given: str) -> Stage:
    stage = Stage.named(given)
    if stage not in _STAGES:
        raise UsageError(f"--stage takes tests, refactoring or speed (or A, B, C), not {given!r}")
    return stage


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UsageError(f"cannot write {path!r}: {error.strerror}") from error
