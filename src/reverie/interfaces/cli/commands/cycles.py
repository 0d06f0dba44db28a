"""`reverie cycles`: the cycles that ran, and what each came to."""

from typing import TYPE_CHECKING, Any

import click

from reverie.cycle.report.plots import duration
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, emit_table
from reverie.model.dream import DreamStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reverie.store.browsing.cycles import CycleLine

_EXAMPLE = """
reverie cycles
reverie cycles path/to/repository --limit 5 --json
"""
_MOST = 500


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--limit", type=click.IntRange(1, _MOST), default=20, show_default=True, metavar="N",
              help="At most so many.")  # fmt: skip
@setting_option("journal.url")
@click.pass_obj
def command(app: App, limit: int) -> None:
    """List the cycles of a repository, newest first: what is ready, waits, was refused or found.

    `reverie report ID` shows one of them, `reverie rollback ID` takes its changes back.
    """
    from reverie.store.browsing.cycles import browse_cycles

    with existing_journal(app) as journal:
        lines: tuple[CycleLine, ...] = ()
        if journal is not None:
            lines = browse_cycles(journal, app.repository.path, rows_wanted=limit).rows
    documents = [cycle_document(each) for each in lines]
    if app.json:
        emit_json({"repository": app.repository.path, "cycles": documents})
    elif not documents:
        click.echo("no cycle has run here yet: `reverie run` runs one")
    else:
        columns = ("cycle", "state", "time", "ready", "waiting", "refused", "found", "branch")
        emit_table(columns, map(_row, documents))
        click.echo("see one: reverie report CYCLE; take its changes back: reverie rollback CYCLE")


def cycle_document(line: "CycleLine") -> dict[str, Any]:
    """A cycle as JSON has it."""
    header, statuses = line.header, line.statuses
    refused = (DreamStatus.REJECTED, DreamStatus.BORDERLINE)
    return {
        "cycle_id": header.id,
        "started_at": header.started_at.isoformat(timespec="seconds"),
        "state": header.state,
        "stage": header.wishes.stage or "all",
        "seconds": header.seconds,
        "promoted": statuses.get(DreamStatus.PROMOTED, 0),
        "waiting": statuses.get(DreamStatus.TESTED, 0),
        "refused": sum(statuses.get(each, 0) for each in refused),
        "rolled_back": statuses.get(DreamStatus.ROLLED_BACK, 0),
        "findings": line.findings,
        # A rollback of all that was on it takes the branch away.
        "branch": None if _is_taken_back(statuses) else header.branch,
    }


def _is_taken_back(statuses: "Mapping[str, int]") -> bool:
    return bool(statuses.get(DreamStatus.ROLLED_BACK)) and not statuses.get(DreamStatus.PROMOTED)


def _row(document: dict[str, Any]) -> tuple[str, ...]:
    """A cycle on one line; its id begins with the moment when it was started (UTC)."""
    counts = (str(document[name]) for name in ("promoted", "waiting", "refused", "findings"))
    took = duration(document["seconds"]).replace(" ", "")
    is_taken_back = document["rolled_back"] and not document["promoted"]
    state = "taken back" if is_taken_back else document["state"]
    return (document["cycle_id"], state, took, *counts, document["branch"] or "-")
