"""`reverie align`: what a person should look at in a commit."""

import time
from datetime import UTC, datetime

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.model.codec import plain

_EXAMPLE = """
reverie align
reverie align main..feature --json
"""
_STYLES = {"warning": "yellow", "error": "red", "critical": "red"}


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("revision", metavar="[REV | A..B]", default="HEAD")
@click.option("--record", is_flag=True, help="Append what is found to alignment_flags.jsonl.")
@setting_option("alignment.warning_threshold")
@setting_option("alignment.failure_threshold")
@click.pass_obj
def command(app: App, revision: str, record: bool) -> int:
    """Flag what a commit, or a range, takes away or brings in that a person should look at.

    Removed docstrings, logging, tests, assertions and reasons; new reach, dynamic code, writes,
    broad handlers, switched-off checks; secrets (never shown), licences, jumps in complexity,
    missing tests and types. Nothing is run. The exit code is 1 for an `alignment_failure`.
    """
    from reverie.bootstrap.repository import flag_revision
    from reverie.interfaces.cli.output import emit_json, emit_table
    from reverie.model.repository.quality import AlignmentVerdict

    began = time.monotonic()
    found = flag_revision(app.repository.path, revision, app.settings)
    report = found.report
    if record:
        from reverie.bootstrap.events import open_events
        from reverie.promotion.decision_records import append_flags

        about = {"base": found.base or "", "head": found.head}
        with open_events(app.loaded) as publish:
            append_flags(app.loaded.data_dir, report, datetime.now(UTC), about, publish)
    if app.json:
        seconds = round(time.monotonic() - began, 3)
        told = {"base": found.base, "head": found.head, **plain(report), "seconds": seconds}
        emit_json(told)
    else:
        rows = [(str(e.severity), e.rule, f"{e.path}:{e.line}", e.message) for e in report.flags]
        emit_table(("severity", "rule", "place", "what"), rows, _STYLES)
        click.echo(f"{report.verdict} (score {report.score:.2f}, {len(rows)} flags)")
    return 1 if report.verdict is AlignmentVerdict.FAILURE else 0
