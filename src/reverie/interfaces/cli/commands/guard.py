"""`reverie guard`: may this change be promoted?"""

import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from reverie.bootstrap.guard import GuardQuestion, judge_prepared, read_change
from reverie.bootstrap.kept_answers import own_answers
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.environments import environment_options, require_preflight
from reverie.interfaces.cli.output import printable, warn, write_text
from reverie.interfaces.cli.progress import working
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.ruling import Verdict
from reverie.settings import Settings, settings_of_revision

if TYPE_CHECKING:
    from reverie.bootstrap.guard import Judged
    from reverie.model.repository.environment import Surroundings
    from reverie.promotion.forge import PullRequest

_EXAMPLE = """
reverie guard --base main --head feature
reverie guard --stage refactoring                 # what is uncommitted here
reverie guard --event "$GITHUB_EVENT_PATH" --comment
"""
_FORMATS = ("text", "json", "sarif", "markdown")
_FAILING = ("borderline", "reject")


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--base", default="HEAD", metavar="REV", help="What the change starts from (HEAD).")
@click.option("--head", metavar="REV", help="What it leads to; otherwise the working tree.")
@click.option("--patch", metavar="FILE", help="A diff to judge instead of a revision.")
@click.option(
    "--stage",
    metavar="WHAT",
    help="What it claims to be: tests, refactoring, speed, integration or stubs; tests where it "
    "touches nothing else, else refactoring, where nothing is said.",
)
@click.option("--static", is_flag=True, help="Stop after the guardrails: run nothing.")
@click.option("--again", is_flag=True, help="Try anew what was tried and not let through before.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@click.option("--format", "form", type=click.Choice(_FORMATS), help="How the judgement is written.")
@click.option(
    "--fail-on",
    type=click.Choice(_FAILING),
    default="borderline",
    help="Exit 1 from this verdict on; otherwise whatever is not promoted.",
)
@click.option(
    "--sarif",
    type=NewFile(),
    metavar="FILE",
    help="Also write it there as SARIF, for code scanning.",
)
@click.option(
    "--event",
    metavar="FILE",
    help="Take both revisions from a pull request's event file (GitHub); `gitlab`: from variables.",
)
@click.option("--comment", is_flag=True, help="Post the verdict on that pull request.")
@environment_options()
@setting_option("guard.budget_seconds")
@setting_option("sandbox.tier")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Judge a change as Reverie judges its own: guardrails first, then trials in the sandbox.

    The change is what lies between two revisions, from where they parted, or between one and the
    working tree, or a patch. It claims to be tests, a refactoring (which keeps what the code does),
    speed (which keeps it and is faster), an integration of a module that nothing used, or stubs,
    functions that were declared with examples and are written now; A, B, C, I and G are short for
    them. The exit code is 0 only when the verdict is `promote`, unless --fail-on says otherwise.
    Settings are those of the revision that the change starts from: a change does not decide how it
    is judged. What trials did not let through is remembered: the same change to the same files gets
    the same answer, unless --again is given.
    """
    from reverie.interfaces.cli.views.judgements import judgement_document, show_judgement

    began = time.monotonic()
    request = _request(app, given)
    base, head = _revisions(app, given, request)
    files, change = read_change(app.repository.path, base, head, given["patch"])
    settings = settings_of_revision(app.loaded, files)
    stage = given["stage"]
    claimed = _likely_stage(change, settings) if stage is None else _stage(stage)
    python = given["python"]
    question = GuardQuestion(files, change, claimed, given["static"], python, given["again"])

    def prepare(tests: tuple[str, ...]) -> "Surroundings":
        return require_preflight(app, python, base, tests=tests)[0]

    judged = judge_prepared(question, app.loaded, settings, prepare, partial(working, "judging"))
    document = judgement_document(judged, question.stage, time.monotonic() - began)
    kept = own_answers(app.environ).keep(app.repository.path, change, document)
    document = {**document, "id": kept}
    show_judgement(document, judged, "json" if app.json else given["form"] or "text")
    _publish(document, judged, given, request)
    return _exit_code(judged.judgement.verdict, given["fail_on"])


def _exit_code(verdict: Verdict, fail_on: str) -> int:
    """0 where nothing was asked for that is missing: a proof, or at least no objection."""
    if fail_on == "reject":
        return 1 if verdict is Verdict.REJECT else 0
    return 0 if verdict is Verdict.PROMOTE else 1


def _request(app: App, given: dict[str, Any]) -> "PullRequest | None":
    """The pull request of an event; what is missing for a comment is said before anything runs."""
    if given["event"] is None:
        if given["comment"]:
            raise UsageError("--comment needs --event: it says which pull request it is")
        return None
    from reverie.promotion.forge import read_request

    if given["head"] is not None or given["patch"] is not None or given["base"] != "HEAD":
        raise UsageError("--event names both revisions: give it without --base, --head, --patch")
    request = read_request(given["event"], app.environ)
    if given["comment"] and not request.token:
        name = "GITHUB_TOKEN" if request.forge == "github" else "GITLAB_TOKEN"
        raise UsageError(f"--comment needs a token in {name}")
    return request


def _revisions(
    app: App, given: dict[str, Any], request: "PullRequest | None"
) -> tuple[str, str | None]:
    """Base and head: of a branch or a pull request, from where the two parted."""
    if request is None:
        if given["patch"] is not None and given["head"] is not None:
            raise UsageError("--patch and --head say two things; give one of them")
        if given["head"] is None:
            return given["base"], None
    from reverie.promotion.git import Git
    from reverie.promotion.history import merge_base

    git = Git.find(app.repository.path)
    if git is None:
        raise UsageError(f"{str(app.repository.path)!r} is no git repository")
    named = (given["base"], given["head"]) if request is None else (request.base, request.head)
    base, head = (git.resolve(each) for each in named)
    parted = merge_base(git, base, head)
    # A head that the base has grown from takes back what came after it: that is the change.
    return base if parted == head else parted, head


def _publish(
    document: dict[str, Any], judged: "Judged", given: dict[str, Any], request: "PullRequest | None"
) -> None:
    """What was asked for besides the answer; a comment that is not taken changes no verdict."""
    from reverie.interfaces.cli.views.judgements import markdown_of, sarif_of

    if given["sarif"] is not None:
        text = json.dumps(sarif_of(judged.judgement.rulings), indent=2)
        write_text(given["sarif"], f"{text}\n")
    if given["comment"] and request is not None:
        from reverie.promotion.forge import NotPosted

        try:
            place = request.post(markdown_of(document))
        except NotPosted as error:
            warn(f"no comment was written: {error}")
        else:
            click.echo(printable(f"comment: {place}"), err=True)


def _likely_stage(change: Change, settings: Settings) -> Stage:
    """What a change claims that claims nothing: to add tests, or to keep what the code does."""
    from reverie.gates.paths import is_test_path

    tests = all(is_test_path(each.path, settings.guard) for each in change.edits)
    stage = Stage.A if tests else Stage.B
    what = "it touches tests alone" if tests else "it is to keep what the code does"
    click.echo(f"judged as {stage.word}: {what}; --stage says otherwise", err=True)
    return stage


def _stage(given: str) -> Stage:
    stage = Stage.named(given)
    if stage is None:
        told = "tests, refactoring, speed, integration, stubs or findings (or A, B, C, I, G, D)"
        raise UsageError(f"--stage takes {told}, not {given!r}")
    return stage
