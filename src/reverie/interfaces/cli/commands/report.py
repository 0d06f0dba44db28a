"""`reverie report`: what a cycle came to."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, NewFile
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json
from reverie.interfaces.cli.views.cycles import (
    existing_page,
    show_profile,
    show_report,
    write_page,
)
from reverie.model.cycle import CycleDream, CycleRecord, PromotionStatus
from reverie.model.dream import DreamStatus
from reverie.model.outcome import counted
from reverie.model.repository.environment import SETTLED, opinion_on

if TYPE_CHECKING:
    from reverie.store import Journal

_EXAMPLE = """
reverie report
reverie report --html night.html
reverie report --profile
reverie report 20240601-0200 --json
"""
_EARLIER = 5
"""Changes of earlier cycles that a summary names."""


@click.command(cls=Command, example=_EXAMPLE, paths=("cycle",))
@click.argument("cycle", metavar="[REPO | CYCLE]", required=False)
@click.option(
    "--html",
    type=NewFile(),
    metavar="FILE",
    help="Write it there as one page that opens from disk.",
)
@click.option("--profile", is_flag=True, help="Also say where the time went, part by part.")
@click.pass_obj
def command(app: App, cycle: str | None, html: str | None, profile: bool) -> None:
    """Show what a cycle came to: what is ready, waits, was found, refused, skipped; its cost.

    CYCLE is the id of a cycle or its beginning, or its branch; otherwise the newest one. The page
    needs no network and no script; `reverie run` has written one, whose place is shown.
    """
    from reverie.store.cycles.cycles import load_cycle

    if cycle is not None and Path(cycle).is_dir():
        cycle = None  # it named the repository
    repository = app.loaded.repository
    with existing_journal(app) as journal:
        if journal is None:
            raise UsageError(f"no cycle has run in {repository}: `reverie run` runs one")
        record = load_cycle(journal, _cycle_id(journal, repository, cycle))
        document = document_of(journal, repository, record)
        earlier = _left_over(journal, record) if cycle is None else []
    if html is not None:
        write_page(Path(html), document)
    if app.json:
        emit_json({**document, "report": html})
    else:
        page = existing_page(app, record.header.id) if html is None else Path(html)
        show_report(document, page, earlier)
        if profile:
            show_profile(document["profile"])


def document_of(journal: "Journal", repository: Path, record: CycleRecord) -> dict[str, Any]:
    """A cycle as it stands today: without what people have settled or taken by hand since."""
    from reverie.cycle.report.document import report_document
    from reverie.store.cycles.findings import load_opinions

    opinions = load_opinions(journal, repository)
    open_ones = tuple(
        each for each in record.sightings if opinion_on(each.names, opinions) not in SETTLED
    )
    left = tuple(each for each in record.dreams if not _is_taken_by_hand(repository, each))
    settled = len(record.sightings) - len(open_ones)
    document = report_document(replace(record, sightings=open_ones, dreams=left))
    return {**document, "settled": settled, "merged": sorted(_merged_of(repository, record))}


def _merged_of(repository: Path, record: CycleRecord) -> frozenset[str]:
    """The changes of a cycle that the branch has which is checked out."""
    from reverie.bootstrap.repository import mainline_of

    mainline = mainline_of(repository)
    return frozenset(
        each.dream.id
        for each in record.promotions
        if each.promotion is not None and mainline.holds(each.promotion.commit)
    )


def _is_taken_by_hand(repository: Path, each: CycleDream) -> bool:
    """Whether a change that waits for approval is in the files by now: it waits no longer."""
    from reverie.bootstrap.repository import is_made

    return each.status is DreamStatus.TESTED and is_made(repository, each.dream.change)


def _left_over(journal: "Journal", record: CycleRecord) -> list[str]:
    """What earlier cycles left to be done: changes that wait or are not merged, findings."""
    from reverie.bootstrap.repository import mainline_of, still_waiting
    from reverie.store.browsing.cycles import browse_findings
    from reverie.store.browsing.people import offered_lines, waiting_lines

    repository, cycle_id = Path(record.header.repository), record.header.id
    mainline = mainline_of(repository)
    earlier = [e for e in waiting_lines(journal, repository).rows if e.cycle_id != cycle_id]
    waiting = still_waiting(journal, repository, earlier)
    ready = Counter(
        each.branch
        for each in offered_lines(journal, repository)
        if each.branch and each.status == PromotionStatus.OFFERED and each.cycle_id != cycle_id
        if not mainline.holds(each.commit_id)
    )
    known = {each.signature for each in record.sightings}
    lines = browse_findings(journal, repository).rows
    found = {each.id for each in lines if each.opinion not in SETTLED} - known
    return [
        *(
            f"waiting for approval: {each.title} (reverie show {each.id})"
            for each in waiting[:_EARLIER]
        ),
        *(
            f"ready to merge: {counted(count, 'change')} (git merge {branch})"
            for branch, count in list(ready.items())[:_EARLIER]
        ),
        *([f"to judge: {counted(len(found), 'finding')} (reverie finding)"] if found else []),
    ]


def _cycle_id(journal: "Journal", repository: Path, given: str | None) -> str:
    """The cycle that an id names: its own, or that of anything that belongs to one."""
    from reverie.store.browsing.naming import find_named
    from reverie.store.cycles.cycles import find_cycle

    if given is None:
        return find_cycle(journal, repository)
    named = find_named(journal, repository, given)
    if named.cycle_id is None:
        raise UsageError(f"{given!r:.80} is an {named.kind}: `reverie show {given[:80]}` shows it")
    return named.cycle_id
