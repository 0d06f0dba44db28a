"""`reverie score`: what a dream or a module is worth, with every part."""

from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, NewFolder, setting_option
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.worth import GROUPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.learning.roi_tracker import ROITracker
    from reverie.model.worth import RoiRow
    from reverie.store import Journal

_FIGURES = (
    "roi", "raroi", "roi_ratio", "value", "cost", "kept_probability", "kept_decisions",
    "confidence",
    "rollback_probability", "severity", "stability", "safety",
)  # fmt: skip
_EXAMPLE = """
reverie score 3f2a9c
reverie score shop.price --json
reverie score refactor --by dreamer
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("subject", metavar="ID")
@click.option(
    "--by",
    type=click.Choice(GROUPS[:4]),
    default="module",
    help="What ID names, if it is no dream.",
)
@click.option(
    "--flags",
    type=NewFolder(),
    metavar="DIR",
    help="Write a .flags file there for every complete module.",
)
@setting_option("journal.url")
@click.pass_obj
def command(app: App, subject: str, by: str, flags: str | None) -> None:
    """Show what a dream is worth, part by part, and how likely people are to keep it.

    ID is the id of a tried dream, or its beginning; or the name of a module, whose tried dreams
    are listed with whether it is worth more of them. With --by it is the name of a kind of dreams,
    of a dreamer or of a workflow, and theirs are listed.
    """
    from pathlib import Path

    from reverie.bootstrap.governance import open_roi_tracker

    with existing_journal(app) as journal:
        if journal is None:
            raise UsageError(f"nothing was tried in {app.repository.path}: there is no journal")
        tracker = open_roi_tracker(journal, app.repository.path, app.settings)
        sources = _sources(app)
        if by != "module":
            document = _group(tracker, by, subject)
        elif tracker.history("module", subject):
            document = _module(tracker, subject, sources)
        else:
            document = _dream(app, journal, subject)
    document["flags"] = []
    if flags is not None:
        document["flags"] = [str(each) for each in tracker.write_flags(Path(flags), sources)]
    emit_json(document) if app.json else _show(document)


def _dream(app: App, journal: "Journal", given: str) -> dict[str, Any]:
    from reverie.store.cycles.promotions import find_tried
    from reverie.store.cycles.worth import parts_of

    found = find_tried(journal, app.repository.path, given).each
    if found.trial is None:
        raise UsageError(f"the change {given!r} was not tried")
    dream, trial = found.dream, found.trial
    score, quantities = trial.score, trial.score.get("quantities", {})
    return {
        "id": dream.id,
        "kind": "dream",
        "module": dream.module,
        "dreamer": dream.dreamer,
        **{name: score.get(name) for name in _FIGURES},
        "unmeasured": list(score.get("unmeasured", ())),
        "verdict": str(trial.judgement.verdict),
        "parts": [
            {"name": name, "points": value, "measured": quantities.get(name)}
            for name, value in parts_of(score).items()
        ],
        "evidence": trial.evidence.hashes.get("change"),
    }


def _sources(app: App) -> dict[str, str]:
    """The modules as they are now: only dreams about them as they are tell whether one is done."""
    from reverie.bootstrap import open_index
    from reverie.stages.sources import content_hashes

    settings = app.settings
    with open_index(app.repository.path, settings.index, settings.safety, None) as index:
        index.refresh()
        return dict(content_hashes(index.load()))


def _group(tracker: "ROITracker", group: str, name: str) -> dict[str, Any]:
    rows = tracker.history(group, name)
    if not rows:
        raise UsageError(f"no change of the {group} {name!r} was tried")
    known = [row.points for row in rows if row.points is not None]
    return {
        "id": name,
        "kind": group,
        "total": sum(known) if known else None,
        "dreams": _dreams(rows),
    }


def _dreams(rows: "Sequence[RoiRow]") -> list[dict[str, Any]]:
    return [pick(each, "id=dream_id roi=points raroi cycle=cycle_id") for each in rows]


def _module(tracker: "ROITracker", name: str, sources: dict[str, str]) -> dict[str, Any]:
    standing = next(each for each in tracker.standings(sources) if each.module == name)
    return {
        "id": name,
        "kind": "module",
        "completion": str(standing.completion),
        "is_complete": standing.completion.is_complete,
        "diminishing_below": tracker.diminishing(),
        "dreams": _dreams(tracker.history("module", name)),
    }


def _show(document: dict[str, Any]) -> None:
    if document["kind"] == "dream":
        rows = [
            (each["name"], _number(each["measured"]), f"{each['points']:+.2f}")
            for each in document["parts"]
        ]
        emit_table(("part", "measured", "points"), rows)
        worth = f"worth {_points(document['roi'])}, {_points(document['raroi'])} after risk"
        click.echo(f"{printable(document['id'])}: {worth}")
        click.echo(f"{_kept(document)}, verdict {document['verdict']}")
        if document["unmeasured"]:
            click.echo(printable(f"not measured: {', '.join(document['unmeasured'])}"))
    else:
        rows = [(each["id"], _points(each["roi"]), each["cycle"]) for each in document["dreams"]]
        emit_table(("dream", "worth", "cycle"), rows)
        told = document.get("completion") or f"{_points(document['total'])} in all"
        click.echo(f"{printable(document['id'])}: {told}")
    for path in document["flags"]:
        click.echo(printable(f"wrote {path}"))


def _kept(document: dict[str, Any]) -> str:
    """How likely people keep it, and how far its worth can be trusted."""
    chance, trust = document["kept_probability"], document["confidence"]
    if chance is None or trust is None:
        return "insufficient data"
    decided = document["kept_decisions"]
    behind = f"{decided:g} decisions on the like" if decided else "no decision on the like yet"
    return f"{100 * chance:.0f} % likely to be kept ({behind}), confidence {trust:.2f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _points(value: float | None) -> str:
    return "insufficient data" if value is None else f"{value:+.2f} points"
