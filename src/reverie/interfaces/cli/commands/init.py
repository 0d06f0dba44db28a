"""`reverie init`: prepare a repository."""

from pathlib import Path

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.output import emit_json, printable
from reverie.settings.repository import is_repository


@click.command(cls=Command, example="reverie init --repo path/to/repository")
@click.pass_obj
def command(app: App) -> None:
    """Prepare a repository: make the folder for the journal (.reverie).

    From then on executions in this repository are recorded. The folder ignores itself in git.
    Running it again changes nothing.
    """
    loaded = app.loaded
    if not is_repository(loaded.repository):
        raise UsageError(f"{loaded.repository} is no repository: no .git and no pyproject.toml")
    created = _make(loaded.data_dir)
    if app.json:
        emit_json(
            {"repository": loaded.repository, "data_dir": loaded.data_dir, "created": created}
        )
        return
    state = "initialised" if created else "already initialised"
    click.echo(printable(f"{state}: {loaded.data_dir}"))


def _make(folder: Path) -> bool:
    if folder.is_dir():
        return False
    try:
        folder.mkdir(parents=True)
        (folder / ".gitignore").write_text("*\n!/baseline.json\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot make {folder}: {error.strerror}") from error
    return True
