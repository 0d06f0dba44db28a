"""`reverie suggest`: what would be worth doing, and why."""

from pathlib import Path
from typing import Any

import click

from reverie.bootstrap import open_sandbox, rank_candidates
from reverie.bootstrap.governance import roi_section
from reverie.cycle.suggesting import read_past, suggest
from reverie.instruments.profiling import profile_suite
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.indexes import read_index
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.interfaces.cli.progress import step_bar
from reverie.interfaces.cli.views.modules import find_coverage
from reverie.model.codec import pick
from reverie.model.measurements.benchmark import Profile
from reverie.model.repository.code import CodeIndex
from reverie.model.worth import Roi, Suggestion

_EXAMPLE = """
reverie suggest --top 10
reverie suggest path/to/repository --profile --python .venv/bin/python
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How many.",
)
@click.option("--profile", is_flag=True, help="Run the suite under a profiler, for what is slow.")
@click.option("--python", metavar="PATH", help="Interpreter of the repository, for --profile.")
@setting_option("sandbox.tier")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Rank what would be worth doing in a repository by its worth after risk, in points.

    Tests for what none runs, functions to simplify, callables to speed up, commits that made one
    slower, and dreams that wait for a person: each with what was measured, what it would gain and
    cost, and the command to go on with. What nobody can reckon yet comes last.
    """
    with step_bar(3) as show:
        show("reading the repository")
        index = read_index(app)
        search = find_coverage(app.loaded.repository)
        show("reading its history")
        ranking = rank_candidates(index, search.found, app.settings.candidates)
        show("looking for what is slow")
        profile = _profile(app, index, given) if given["profile"] else None
    with existing_journal(app) as journal:
        past = read_past(journal, app.loaded.repository)
    found = suggest(index, ranking, profile, past, roi_section(app.loaded))
    notes = [*ranking.notes, *search.notes]
    if profile is not None and profile.problem is not None:
        notes.append(f"the suite could not be profiled: {profile.problem}")
    if app.json:
        shown = [_suggestion(rank, each) for rank, each in enumerate(found[: given["top"]], 1)]
        repository = str(app.loaded.repository)
        emit_json(
            {"repository": repository, "suggestions": shown, "total": len(found), "notes": notes}
        )
    else:
        _show(found, given["top"], notes)
    return 0


def _profile(app: App, index: CodeIndex, given: dict[str, Any]) -> Profile:
    python = None if given["python"] is None else str(Path(given["python"]).absolute())
    with open_sandbox(app.settings.sandbox) as sandbox:
        return profile_suite(sandbox, index, app.settings.candidates, python)


def _suggestion(rank: int, each: Suggestion) -> dict[str, Any]:
    return pick(
        each,
        "rank kind target title evidence command raroi roi=roi.points chance parts risk",
        rank=rank,
        parts=None if each.roi is None else _parts(each.roi),
    )


def _parts(roi: Roi) -> dict[str, float]:
    benefits = {f"benefit: {part.name}": part.points for part in roi.benefit}
    return benefits | {f"cost: {part.name}": part.points for part in roi.cost}


def _show(found: tuple[Suggestion, ...], top: int, notes: list[str]) -> None:
    rows = [
        (
            str(rank),
            "-" if each.raroi is None else f"{each.raroi:+.1f}",
            each.kind,
            printable(each.title),
            printable(each.target),
            printable("; ".join(each.evidence)),
        )
        for rank, each in enumerate(found[:top], 1)
    ]
    emit_table(("", "worth", "kind", "what", "where", "evidence"), rows)
    click.echo(f"\n{min(top, len(found))} of {len(found)} suggestions")
    for note in notes:
        click.echo(printable(f"note: {note}"))
