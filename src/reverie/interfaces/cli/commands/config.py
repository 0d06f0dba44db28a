"""`reverie config`: the settings in force and where each came from."""

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.settings import known_settings, shown

_EXAMPLE = """
reverie config --about protected
reverie config --repo path/to/repository --json
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--about", metavar="WORD", help="Only settings that name it, with what each means.")
@click.pass_obj
def command(app: App, about: str | None) -> None:
    """Show the settings in force and where each came from.

    A value comes from the built-in default, your own config.toml, [tool.reverie] in
    pyproject.toml, .env, the environment or a flag; the later one wins. What a file of the
    repository may not set is ignored, and noted. Passwords are not shown.
    """
    loaded = app.loaded
    url = loaded.journal_url
    journal = None if url is None else shown("journal.url", url)
    rows = [
        (key, shown(key, loaded.settings.value(key)), loaded.origins[key])
        for key, known in known_settings().items()
        if about is None or about.lower() in f"{key} {known.doc}".lower()
    ]
    if not rows:
        raise UsageError(f"no setting is about {about!r:.80}: `reverie config` lists all")
    if app.json:
        emit_json(
            {
                "repository": loaded.repository,
                "repository_origin": app.repository.origin,
                "initialised": loaded.is_initialised,
                "journal": journal,
                "settings": {key: {"value": value, "origin": at} for key, value, at in rows},
                "notes": loaded.notes,
            }
        )
        return
    if about is not None:
        for key, value, at in rows:
            click.echo(printable(f"{key} = {_cell(value)}  ({at})"))
            click.echo(printable(f"    {known_settings()[key].doc}"))
        return
    click.echo(printable(f"repository  {loaded.repository}  ({app.repository.origin})"))
    closed = "not opened here: run `reverie init`, or set REVERIE_JOURNAL_URL"
    click.echo(printable(f"journal     {journal or closed}") + "\n")
    emit_table(("setting", "value", "from"), [(key, _cell(value), at) for key, value, at in rows])
    click.echo("\nwhat one means: reverie config --about WORD")
    for note in loaded.notes:
        click.echo(printable(f"note: {note}"), err=True)


def _cell(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case None:
            return "-"
        case list():
            return ", ".join(map(str, value)) or "-"
        case dict():
            return ", ".join(f"{key}={item}" for key, item in value.items()) or "-"
    return str(value)
