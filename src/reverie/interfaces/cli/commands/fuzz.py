"""`reverie fuzz`: find inputs on which callables do not keep their word."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.bootstrap import open_sandbox
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.command import Command, NewFolder, setting_option
from reverie.interfaces.cli.environments import environment_options, require_environment
from reverie.interfaces.cli.journals import existing_journal, writable_journal
from reverie.interfaces.cli.output import emit_json
from reverie.interfaces.cli.progress import PhaseBar
from reverie.interfaces.cli.views.discoveries import fuzzed_document, show_fuzzed, write_catalogue

if TYPE_CHECKING:
    from reverie.model.repository.environment import Fuzzed, Verdict

_EXAMPLE = """
reverie fuzz src/shop/prices.py:parse --budget 20s
reverie fuzz src/shop --budget 5m --out emergence
reverie fuzz --verdict 3f2a9c1b77aa0d12=feature --why "rounding is meant"
"""
_SIGNATURE = re.compile(r"[0-9a-f]{16}")


@click.command(cls=Command, example=_EXAMPLE, paths=("target",))
@click.argument("target", required=False, metavar="[PATH or FILE:callable]")
@click.option("--budget", default="20s", metavar="TIME", help="For all of it [default: 20s].")
@click.option(
    "--executions", type=click.IntRange(min=1), metavar="N", help="At most so many calls of each."
)
@click.option(
    "--seed", default=0, type=click.IntRange(0, 1 << 32), help="Of the inputs [default: 0]."
)
@click.option(
    "--out",
    type=NewFolder(),
    metavar="DIR",
    help="Write the catalogue there: Markdown, HTML, JSON and scripts.",
)
@click.option("--python", metavar="PATH", help="Interpreter with the module's dependencies.")
@click.option(
    "--verdict", metavar="SIGNATURE=WORD", help="Say of a finding: bug, feature or out_of_scope."
)
@click.option("--why", metavar="TEXT", default="", help="What to note with --verdict.")
@environment_options()
@setting_option("sandbox.tier")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, /, target: str | None, **given: Any) -> int:
    """Call public functions and classes in many ways, in the sandbox, and hold them to their word.

    What documentation, annotations, examples and names promise is checked: documented errors,
    round trips, bounds, order, arguments left alone, containers beside a plain model. A finding
    is shown with its smallest input and a script that fails while it is true; nothing is ever
    changed. Verdicts are kept in the journal, and what is meant is not reported again. The exit
    code is 1 when there are findings.
    """
    if given["verdict"] is not None:
        return _judge(app, given["verdict"], given["why"])
    fuzzed = _respecting(app, _fuzz(app, target, given))
    if given["out"] is not None:
        write_catalogue(Path(given["out"]), fuzzed)
    if app.json:
        emit_json({**fuzzed_document(fuzzed), "report": given["out"]})
    else:
        show_fuzzed(fuzzed, given["out"])
    return 1 if fuzzed.findings else 0


def _fuzz(app: App, target: str | None, given: dict[str, Any]) -> "Fuzzed":
    from reverie.dreamers.fuzz.fuzz import Wish, fuzz

    wish = Wish(
        seconds=parse_duration(given["budget"], "--budget"),
        executions=given["executions"],
        seed=given["seed"],
        python=require_environment(app, given["python"]),
    )
    repository = app.repository.path
    with open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox, PhaseBar() as bar:
        return fuzz(sandbox, target or str(repository), repository, wish, bar.show)


def _respecting(app: App, fuzzed: "Fuzzed") -> "Fuzzed":
    from reverie.store.cycles.findings import load_opinions

    with existing_journal(app) as journal:
        opinions = {} if journal is None else load_opinions(journal, app.repository.path)
    return fuzzed.respecting(opinions)


def _judge(app: App, text: str, why: str) -> int:
    from reverie.store.cycles.findings import record_verdict

    verdict = _verdict(text, why)
    with writable_journal(app, "verdicts are") as journal:
        record_verdict(journal, app.repository.path, verdict)
    if app.json:
        emit_json({"signature": verdict.signature, "verdict": verdict.opinion,
                   "why": why, "created_at": verdict.created_at.isoformat()})  # fmt: skip
    else:
        click.echo(f"{verdict.signature} is noted as {verdict.opinion}")
    return 0


def _verdict(text: str, why: str) -> "Verdict":
    from reverie.model.repository.environment import Opinion, Verdict

    signature, sign, word = text.partition("=")
    words = [each.value for each in Opinion]
    if not sign or not _SIGNATURE.fullmatch(signature) or word not in words:
        raise UsageError(f"--verdict: expected SIGNATURE={'|'.join(words)}, not {text!r:.60}")
    return Verdict(signature, Opinion(word), datetime.now(UTC), why)
