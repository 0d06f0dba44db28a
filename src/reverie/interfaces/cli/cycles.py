"""Cycles as the terminal shows them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.gains import gains_of

if TYPE_CHECKING:
    from reverie.cycle.report.figures import Figures

_STYLES = {"promoted": "green", "rejected": "red", "borderline": "yellow"}
_FINDINGS = 10


def show_report(document: Mapping[str, Any], page: Path | None) -> None:
    """The summary: what was promoted, what was not and why, findings, where to look."""
    from reverie.cycle.report.figures import Figures

    figures = Figures(document)
    click.echo(printable(f"{figures.headline}."))
    dreams = [*document["promoted"], *document["refused"]]
    if dreams:
        click.echo()
        emit_table(
            ("", "module", "branches", "mutants", "brings", "why"),
            [_row(each, figures) for each in dreams],
            _STYLES,
        )
    _show_found(document["found"])
    _show_steps(document)
    for line in _closing(document, page):
        click.echo(printable(line))


def write_page(path: Path, document: Mapping[str, Any]) -> None:
    """The report as one page."""
    from reverie.cycle.report import report_page

    try:
        path.write_text(report_page(document), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _row(dream: Mapping[str, Any], figures: "Figures") -> tuple[str, ...]:
    trial = dream["trial"]
    measures = {} if trial is None else trial["measures"]
    branches = figures.covered(dream["module"], "branches")
    is_promoted = dream["promotion"] is not None
    gains = gains_of(measures) if is_promoted else ()
    return (
        dream["status"],
        dream["module"],
        _change(branches.before, branches.after if is_promoted else None),
        _change(measures.get("mutants.score.before"), measures.get("mutants.score.after")),
        gains[0] if gains else "-",
        _why(dream),
    )


def _why(dream: Mapping[str, Any]) -> str:
    if dream["trial"] is None:
        return "not tried"
    objections = [each for each in dream["trial"]["rulings"] if each["verdict"] != "pass"]
    return "; ".join(each["reason"] for each in objections) or ", ".join(dream["files"])


def _change(before: float | None, after: float | None) -> str:
    if after is None:
        return "-"
    was = "" if before is None else f"{100 * before:.0f} → "
    return f"{was}{100 * after:.0f} %"


def _show_found(found: Sequence[Mapping[str, Any]]) -> None:
    if found:
        click.echo(f"\nfindings, for you to judge: {len(found)}")
    for each in found[:_FINDINGS]:
        click.echo(printable(f"  {each['module']}: {each['title']}"))
    if len(found) > _FINDINGS:
        click.echo(f"  … and {len(found) - _FINDINGS} more in the report")


def _show_steps(document: Mapping[str, Any]) -> None:
    quiet = [each for each in document["modules"] if each["state"] in ("skipped", "failed")]
    if not quiet:
        return
    notes: dict[str, list[str]] = {}
    for each in quiet:
        notes.setdefault(f"{each['state']}: {each['note']}", []).append(each["module"])
    click.echo()
    for note, modules in notes.items():
        click.echo(printable(f"{note} ({', '.join(modules)})"))


def _closing(document: Mapping[str, Any], page: Path | None) -> Sequence[str]:
    lines = [
        "",
        f"cycle {document['cycle_id']} {document['state']}: {document['seconds']:.0f} s, "
        f"{document['executions']} executions",
    ]
    if document["promotions"] and document["branch"] is not None:
        lines.append(f"branch: {document['branch']}")
    elif document["promotions"]:
        lines.append(f"patches: {Path(document['promotions'][0]['patch']).parent}")
    if document["error"]:
        lines.append(f"failed: {document['error']}")
    return lines if page is None else [*lines, f"report: {page}"]
