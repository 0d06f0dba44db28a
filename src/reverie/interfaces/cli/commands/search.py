"""`reverie search`: find functions of a repository."""

import time

import click

from reverie.index.search.ranking import read_question
from reverie.interfaces.cli.answers import answer_document, answer_text
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.indexes import opened_index, refresh_shown
from reverie.interfaces.cli.output import emit_json
from reverie.interfaces.cli.quick import MOST

_EXAMPLE = """
reverie search "parse date"
reverie search "(list[int]) -> int"
"""


@click.command(cls=Command, example=_EXAMPLE, logs=False)
@click.argument("query", metavar="QUERY...", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(1, 1000),
    default=MOST,
    help="Answers at most.",
    show_default=True,
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
    read_question(question)  # what cannot be read is said before anything is opened
    with opened_index(app) as index:
        is_ready = index.is_current() if refresh else index.memory.known_index() is not None
        if not is_ready:
            app.start_logging()
            refresh_shown(index)
        hits = index.search(question, limit)
        names = index.memory.module_names({each.found.path for each in hits}) if app.json else {}
    if app.json:
        emit_json(answer_document(question, hits, names, time.perf_counter() - started))
    else:
        click.echo(answer_text(hits), nl=False)
    return 0 if hits else 1
