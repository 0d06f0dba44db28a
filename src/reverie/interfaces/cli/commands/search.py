"""`reverie search`: find functions of a repository."""

import time
from typing import TYPE_CHECKING, Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.indexes import opened_index, refresh_shown
from reverie.interfaces.cli.output import emit_json, printable

if TYPE_CHECKING:
    from reverie.index.search import Hit

_EXAMPLE = """
reverie search "parse date"
reverie search "(list[int]) -> int"
"""


@click.command(cls=Command, example=_EXAMPLE, logs=False)
@click.argument("query", metavar="QUERY...", nargs=-1, required=True)
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=10, help="Answers at most.", show_default=True
)
@click.option(
    "--refresh/--no-refresh", default=True, help="Look for changed files first.", show_default=True
)
@setting_option("journal.url")
@click.pass_obj
def command(app: App, query: tuple[str, ...], limit: int, refresh: bool) -> int:
    """Find functions, methods and classes by name, by words or by signature.

    Words are looked for in names and docstrings, best answers first. A question with
    parentheses asks for types: "(str, _) -> bool", where _ is any type; words before it narrow
    it down. The exit code is 1 when nothing answers.
    """
    question, started = " ".join(query), time.perf_counter()
    with opened_index(app) as index:
        is_ready = index.is_current() if refresh else index.memory.known_index() is not None
        if not is_ready:
            app.start_logging()
            refresh_shown(index)
        hits = index.search(question, limit)
        names = index.memory.module_names({each.found.path for each in hits}) if app.json else {}
    if app.json:
        seconds = round(time.perf_counter() - started, 3)
        results = [_document(each, names[each.found.path]) for each in hits]
        emit_json({"query": question, "results": results, "seconds": seconds})
    else:
        for each in hits:
            _show(each)
        if not hits:
            click.echo("nothing found")
    return 0 if hits else 1


def _document(hit: "Hit", module: str) -> dict[str, Any]:
    symbol = hit.found.symbol
    return {
        "name": symbol.qualname.rpartition(".")[2],
        "qualname": symbol.qualname,
        "module": module,
        "path": hit.found.path,
        "line": symbol.line,
        "kind": symbol.kind,
        "signature": symbol.signature,
        "summary": symbol.summary,
        "score": round(hit.score, 3),
    }


def _show(hit: "Hit") -> None:
    """A line that terminals and editors can follow, and what it does."""
    symbol = hit.found.symbol
    place = f"{hit.found.path}:{symbol.line}"
    click.echo(printable(f"{place}: {symbol.kind} {symbol.qualname}{symbol.signature}"))
    if symbol.summary:
        click.echo(printable(f"    {symbol.summary}"))
