"""What `reverie enrich` answers, for people."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from reverie.interfaces.cli.output import emit_table, printable


def show_enriched(documents: Sequence[Mapping[str, Any]]) -> None:
    """A row per module, then what a person should look at."""
    columns = ("module", "tests", "lines", "branches", "mutants noticed", "seconds", "file")
    rows = [
        (
            each["module"],
            each["tests"],
            _change(each["line_coverage"]),
            _change(each["branch_coverage"]),
            _change(each["mutation"]),
            f"{each['seconds']:.1f}",
            each["file"] or "nothing worth keeping",
        )
        for each in documents
    ]
    emit_table(columns, rows)
    for each in documents:
        for finding in each["findings"]:
            said = f"look at  {each['module']}.{finding['function']}: {finding['why']}"
            click.echo(printable(f"\n{said}\n         {finding['repro']}", multiline=True))
        if weakest := each["keepability"][:1]:
            (test,) = weakest
            said = f"{each['module']}: least likely kept is {test['test']}, {test['score']:.0%}"
            click.echo(printable(said))
        for note in each["notes"]:
            click.echo(printable(f"note  {note}"), err=True)


def _change(shares: Mapping[str, float | None]) -> str:
    return f"{_percent(shares['before'])} -> {_percent(shares['after'])}"


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.0f} %"
