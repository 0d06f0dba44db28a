"""`reverie prune`: forget old executions, reports and branches."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.model.outcome import counted

_EXAMPLE = """
reverie prune --older-than 90 --keep-reports 100 --vacuum
reverie prune --branch reverie/2026-11-15-1
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option(
    "--older-than",
    type=click.IntRange(0, 36_500),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="Executions that are forgotten.",
)
@click.option(
    "--keep-reports",
    type=click.IntRange(0, 1_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Newest reports that stay.",
)
@click.option(
    "--branch",
    "branches",
    multiple=True,
    metavar="NAME",
    help="A branch of Reverie's own that goes whatever it holds. Repeatable.",
)
@setting_option("promotion.branch_days")
@click.option("--vacuum", "is_vacuumed", is_flag=True, help="Give the space back as well.")
@click.pass_obj
def command(
    app: App, older_than: int, keep_reports: int, branches: tuple[str, ...], is_vacuumed: bool
) -> int:
    """Forget executions that are older, with sources nobody refers to, old reports and branches.

    Cycles, dreams, evidence, promotions and failure patterns stay, and so do proof bundles. What
    goes is still counted by `reverie metrics`. Of branches only Reverie's own go: old, and merged,
    taken back, or without anything that another does not have.
    """
    from reverie.bootstrap.repository import prune_branches
    from reverie.store import prune
    from reverie.store.journal import size_of, vacuum

    before = datetime.now(UTC) - timedelta(days=older_than)
    with existing_journal(app) as journal:
        if journal is None:
            raise UsageError("there is no journal here: nothing to forget")
        gone = prune_branches(app.loaded, journal, branches)
        was = size_of(journal)
        removed = prune(journal, before)
        size = vacuum(journal).after if is_vacuumed else size_of(journal)
    reports = _remove_reports(app.loaded.data_dir / "reports", keep_reports)
    document = {
        "executions": removed,
        "reports": reports,
        "branches": gone,
        "bytes_before": was,
        "bytes_after": size,
    }
    if app.json:
        emit_json(document)
    else:
        forgotten = f"{counted(removed, 'execution')}, {counted(reports, 'report')}"
        click.echo(f"forgotten: {forgotten}; {was} → {size} bytes")
        for each in gone:
            told = f"removed {each.branch} ({each.why}); git branch {each.branch} {each.commit}"
            click.echo(printable(told) + " brings it back")
    return 0


def _remove_reports(folder: Path, kept: int) -> int:
    """Their names begin with the moment of their cycle."""
    pages = sorted(folder.glob("*.html"))
    old = pages[: max(len(pages) - kept, 0)]
    for page in old:
        page.unlink()
    return len(old)
