"""`reverie orphans`: modules that nothing uses, copies of others, and what is out of date."""

from collections.abc import Sequence

import click

from reverie.index.orphans import classify
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.indexes import opened_index, refresh_shown
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.interfaces.cli.progress import count_bar
from reverie.interfaces.cli.views.modules import measured, write_orphans
from reverie.model.repository.standing import ModuleStanding

MARKS = ("orphan", "isolated", "redundant", "legacy")
_EXAMPLE = """
reverie orphans
reverie orphans path/to/repository --no-recursive --json
"""


@click.command(cls=Command, example=_EXAMPLE)
@setting_option("orphans.recursive", also=("--recursive-orphans", "--recursive-include"))
@setting_option("orphans.recursive_isolated")
@setting_option("orphans.discover_isolated")
@setting_option("orphans.include_redundant", also=("--test-redundant",))
@setting_option("orphans.max_depth", also=("--max-recursion-depth",))
@setting_option("orphans.similarity")
@setting_option("journal.url")
@click.pass_obj
def command(app: App) -> None:
    """List modules that are orphaned, isolated, redundant or legacy, and why.

    An orphan is imported by no module, and named by no entry point, test, configuration,
    document or dynamic import that can be seen. Nothing of the repository is imported or run. In
    an initialised repository the answer is written to its data folder as well.
    """
    standings, notes = find_standings(app)
    if app.loaded.is_initialised:
        write_orphans(app.loaded.data_dir, standings)
        _note_counts(app, standings)
    if app.json:
        emit_json({"modules": standings})
    else:
        _show(standings)
        for note in notes:
            click.echo(printable(f"note: {note}"))


def find_standings(app: App) -> tuple[tuple[ModuleStanding, ...], tuple[str, ...]]:
    """The marked modules of the repository, and what is not known of them."""
    with opened_index(app) as remembered:
        refresh_shown(remembered)
        index = remembered.load()
        with count_bar("looking for uses") as show:
            evidence = remembered.evidence(index, show)
    known = measured(app, index)
    return classify(index, evidence, app.settings.orphans, known.signals), known.notes


def _note_counts(app: App, standings: Sequence[ModuleStanding]) -> None:
    """For `reverie metrics`: how many modules carry each mark."""
    from reverie.model.events import Observation
    from reverie.store.cycles.measures import observe

    place = str(app.loaded.repository.resolve())
    counts = [
        Observation(sum(getattr(each, mark) for each in standings), _labels(place, mark))
        for mark in MARKS
    ]
    with writable_journal(app, "orphans are counted") as journal:
        observe(journal, "orphans", counts, of={"repository": place})


def _labels(repository: str, mark: str) -> dict[str, str]:
    return {"repository": repository, "mark": mark}


def _show(standings: Sequence[ModuleStanding]) -> None:
    if standings:
        rows = [
            (each.path, _marks(each), f"{each.confidence:.2f}", each.reasons[0])
            for each in standings
        ]
        emit_table(("module", "marks", "confidence", "because"), rows, {"orphan": "red"})
    counts = [
        f"{sum(getattr(each, mark) for each in standings)} {word}"
        for mark, word in (
            ("orphan", "orphaned"),
            ("isolated", "isolated"),
            ("redundant", "redundant"),
            ("legacy", "legacy"),
        )
    ]
    click.echo(", ".join(counts))


def _marks(standing: ModuleStanding) -> str:
    return " ".join(mark for mark in MARKS if getattr(standing, mark))
