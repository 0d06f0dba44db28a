"""`reverie report`: what a cycle came to."""

from pathlib import Path

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.cycles import show_report, write_page
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json

_EXAMPLE = """
reverie report --html night.html
reverie report 20240601-0200 --json
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("cycle", required=False)
@click.option("--html", metavar="FILE", help="Write it there as one page that opens from disk.")
@click.pass_obj
def command(app: App, cycle: str | None, html: str | None) -> None:
    """Show what a cycle promoted and refused, on what evidence, what it found, what it cost.

    CYCLE is the id of a cycle or its beginning, otherwise the newest one. The page needs no
    network and no script.
    """
    from reverie.cycle.report import report_document
    from reverie.store.cycle_queries import find_cycle, load_cycle

    repository = app.loaded.repository
    with existing_journal(app) as journal:
        if journal is None:
            raise UsageError(f"no cycle has run in {repository}: there is no journal")
        record = load_cycle(journal, find_cycle(journal, repository, cycle))
    document = report_document(record)
    if html is not None:
        write_page(Path(html), document)
    if app.json:
        emit_json({**document, "report": html})
    else:
        show_report(document, None if html is None else Path(html))
