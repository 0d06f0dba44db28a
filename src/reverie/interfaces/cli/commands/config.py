"""`reverie config`: the settings in force and where each came from."""

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.settings import known_settings, shown


@click.command(cls=Command, example="reverie config --repo path/to/repository --json")
@click.pass_obj
def command(app: App) -> None:
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
        for key in known_settings()
    ]
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
    click.echo(printable(f"repository  {loaded.repository}  ({app.repository.origin})"))
    closed = "not opened here: run `reverie init`, or set REVERIE_JOURNAL_URL"
    click.echo(printable(f"journal     {journal or closed}") + "\n")
    emit_table(("setting", "value", "from"), [(key, _cell(value), at) for key, value, at in rows])
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
