"""`reverie guard`: may this change be promoted?"""

import time
from functools import partial
from typing import TYPE_CHECKING

import click

from reverie.bootstrap import GuardQuestion, read_change
from reverie.bootstrap.environments import judge_prepared
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import environment_options, require_preflight
from reverie.interfaces.cli.progress import working
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.ruling import Verdict
from reverie.settings import Settings, settings_of_revision

if TYPE_CHECKING:
    from reverie.model.environment import Surroundings

_EXAMPLE = """
reverie guard --base main --head feature
reverie guard --stage B                 # what is uncommitted here
"""
_FORMATS = ("text", "json", "sarif", "markdown")


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--base", default="HEAD", metavar="REV", help="What the change starts from (HEAD).")
@click.option("--head", metavar="REV", help="What it leads to; otherwise the working tree.")
@click.option("--patch", metavar="FILE", help="A diff to judge instead of a revision.")
@click.option(
    "--stage",
    metavar="A|B|C|D|I",
    help="What the change claims to be; otherwise A for tests alone, B for the rest.",
)
@click.option("--static", is_flag=True, help="Stop after the guardrails: run nothing.")
@click.option("--again", is_flag=True, help="Try anew what was tried and not let through before.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@click.option("--format", "form", type=click.Choice(_FORMATS), help="How the judgement is written.")
@environment_options()
@setting_option("guard.budget_seconds")
@setting_option("sandbox.tier")
@click.pass_obj
def command(
    app: App,
    base: str,
    head: str | None,
    patch: str | None,
    stage: str | None,
    static: bool,
    again: bool,
    python: str | None,
    form: str | None,
) -> int:
    """Judge a change as Reverie judges its own: guardrails first, then trials in the sandbox.

    The change is what lies between two revisions, or between one and the working tree, or a
    patch. Stage A adds tests, B keeps what the code does, C makes it faster as well, I integrates
    a module that nothing used; D is never promoted. The exit code is 0 only when the verdict is
    `promote`. Settings are those of the revision that the change starts
    from: a change does not decide how it is judged. What trials did not let through is
    remembered: the same change to the same files gets the same answer, unless --again is given.
    """
    from reverie.interfaces.cli.judgements import judgement_document, show_judgement

    began = time.monotonic()
    if patch is not None and head is not None:
        raise UsageError("--patch and --head say two things; give one of them")
    files, change = read_change(app.repository.path, base, head, patch)
    settings = settings_of_revision(app.loaded, files)
    claimed = _likely_stage(change, settings) if stage is None else _stage(stage)
    question = GuardQuestion(files, change, claimed, static, python, again)

    def prepare() -> "Surroundings":
        return require_preflight(app, python, base)[0]

    judged = judge_prepared(question, app.loaded, settings, prepare, partial(working, "judging"))
    document = judgement_document(judged, question.stage, time.monotonic() - began)
    show_judgement(document, judged, "json" if app.json else form or "text")
    return 0 if judged.judgement.verdict is Verdict.PROMOTE else 1


def _likely_stage(change: Change, settings: Settings) -> Stage:
    """What a change claims that claims nothing: to add tests, or to keep what the code does."""
    from reverie.gates.paths import is_test_path

    tests = all(is_test_path(each.path, settings.guard) for each in change.edits)
    stage = Stage.A if tests else Stage.B
    what = "it touches tests alone" if tests else "it is to keep what the code does"
    click.echo(f"judged as stage {stage}: {what}; --stage says otherwise", err=True)
    return stage


def _stage(given: str) -> Stage:
    if given.upper() not in list(Stage):
        raise UsageError(f"--stage takes A, B, C, D or I, not {given!r}")
    return Stage(given.upper())
