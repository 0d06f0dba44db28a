"""`reverie stop`: end the cycle that is running."""

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.output import emit_json

_EXAMPLE = """
reverie stop
reverie stop path/to/repository
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.pass_obj
def command(app: App) -> int:
    """Stop the cycle that runs on a repository, also one that the night started.

    It ends as after Ctrl-C: what is proven by then is kept, and `reverie run --recover` goes on
    with the rest. `reverie nightly uninstall` keeps later nights from beginning. The exit code
    is 1 when no cycle is running.
    """
    from reverie.bootstrap.nightly import stop_cycle

    process = stop_cycle(app.loaded.repository)
    if app.json:
        emit_json({"repository": app.loaded.repository, "stopped": process is not None,
                   "process": process})  # fmt: skip
    elif process is None:
        click.echo("no cycle is running here")
    else:
        click.echo(f"asked process {process} to stop; what is proven by then is kept")
        click.echo(
            "`reverie run --recover` goes on with it, `reverie run` leaves it and begins anew"
        )
    return 0 if process is not None else 1
