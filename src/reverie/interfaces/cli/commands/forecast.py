"""`reverie forecast`: the cycles to come of a module or a workflow."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick, plain
from reverie.model.outcome import counted

if TYPE_CHECKING:
    from reverie.learning.foresight_gate import Safety
    from reverie.learning.foresight_tracker import ForesightTracker

_EXAMPLE = """
reverie forecast shop.price
reverie forecast nightly-import --svg nightly.svg --json
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("subject", metavar="ID")
@click.option("--svg", type=NewFile(), metavar="FILE", help="Write the plot there as well.")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, subject: str, svg: str | None) -> int:
    """Say how the worth of a module or a workflow will go on, with 80 and 95 % intervals.

    ID is the name of a module whose dreams were tried, or of a workflow whose cycles were
    recorded. The exit code is 1 when promoting it would not be safe, or nothing can be said.
    """
    from reverie.bootstrap.governance import open_foresight_tracker
    from reverie.learning.foresight_gate import is_foresight_safe_to_promote

    with existing_journal(app) as journal:
        if journal is None:
            raise UsageError(f"nothing was recorded in {app.repository.path}: there is no journal")
        tracker = open_foresight_tracker(journal, app.repository.path, app.settings)
    if not tracker.cycles(subject):
        raise UsageError(f"no cycle of {subject!r} was recorded, and no change to it tried")
    threshold = app.settings.governance.roi_threshold
    safety = is_foresight_safe_to_promote(subject, (), tracker, roi_threshold=threshold)
    document = _document(tracker, subject, safety)
    if svg is not None:
        _write(Path(svg), document)
    emit_json({**document, "svg": svg}) if app.json else _show(document)
    return 0 if safety.ok else 1


def _document(tracker: "ForesightTracker", subject: str, safety: "Safety") -> dict[str, Any]:
    return {
        "id": subject,
        "history": tracker.worths(subject),
        "forecast": plain(tracker.forecast(subject)),
        "cycles": [] if safety.forecast is None else plain(safety.forecast.cycles),
        "confidence": 0.0 if safety.forecast is None else safety.forecast.confidence,
        **pick(safety, "collapse safe=ok reason_codes"),
    }


def _show(document: dict[str, Any]) -> None:
    from reverie.interfaces.cli.views.figures import terminal_plot

    found, history = document["forecast"], document["history"]
    if found is None:
        click.echo(
            f"insufficient data: {counted(len(history), 'cycle')}, and nobody to borrow from"
        )
    else:
        for line in terminal_plot(history, found["projections"]):
            click.echo(line)
        rows = [
            (f"+{each['ahead']}", f"{each['value']:.1f}", _range(each, 80), _range(each, 95))
            for each in found["projections"]
        ]
        emit_table(("cycle", "worth", "80 %", "95 %"), rows)
        click.echo(_basis(found))
    collapse = document["collapse"]
    click.echo(f"risk: {collapse['risk'] if collapse else 'Unknown'}")
    answer = "safe to promote" if document["safe"] else ", ".join(document["reason_codes"])
    click.echo(f"{printable(document['id'])}: {answer} (confidence {document['confidence']:.2f})")


def _range(each: dict[str, Any], level: int) -> str:
    return f"{each[f'low{level}']:.1f} to {each[f'high{level}']:.1f}"


def _basis(found: dict[str, Any]) -> str:
    told = f"{found['model']} on {counted(found['n'], 'cycle')}"
    if found["borrowed"]:
        told += f", {found['borrowed']:.0%} borrowed from others"
    held = found["coverage"]
    if held is None:
        return f"{told}; too few to check the intervals"
    shares = f"{held['share80']:.0%} and {held['share95']:.0%}"
    return f"{told}; the intervals held {shares} of {held['n']} past cycles"


def _write(path: Path, document: dict[str, Any]) -> None:
    from html import escape

    from reverie.interfaces.cli.views.figures import svg_plot

    if document["forecast"] is None:
        raise UsageError("there is no forecast to draw: insufficient data")
    title = escape(printable(f"{document['id']}: worth per cycle"))
    text = svg_plot(title, document["history"], document["forecast"]["projections"])
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--svg {str(path)!r}: {error.strerror}") from error
