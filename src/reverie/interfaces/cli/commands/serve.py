"""`reverie serve`: the dashboard."""

import sys
from importlib.util import find_spec

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.output import emit_json

_EXAMPLE = """
reverie serve
reverie serve --port 9000 --read-only
"""
_NEEDED = ("starlette", "jinja2", "uvicorn", "python_multipart")


@click.command(cls=Command, example=_EXAMPLE)
@setting_option("web.host")
@setting_option("web.port")
@setting_option("web.read_only")
@setting_option("journal.url")
@click.pass_obj
def command(app: App) -> int:
    """Serve the dashboard of the repository to browsers, until it is stopped.

    It listens on this machine only, and lets in whoever opens the link that is printed at the
    start, with its token. Nothing is fetched from anywhere.
    """
    if not all(find_spec(name) for name in _NEEDED):
        raise UsageError("the dashboard needs its libraries: pip install 'reverie[web]'")
    from reverie.interfaces.cli.journals import existing_journal
    from reverie.interfaces.web.serving import serve

    with existing_journal(app):  # one that cannot be used is said here, not on every page
        pass

    try:
        serve(app.loaded, app.environ, lambda address, token: _say(app, address, token))
    except KeyboardInterrupt:  # how a person ends it
        click.echo("stopped", err=True)
    return 0


def _say(app: App, address: str, token: str) -> None:
    link = f"{address}?token={token}"
    if app.json:
        emit_json({"address": address, "token": token, "link": link})
    else:
        click.echo(f"dashboard of {app.repository.path.name}: {link}")
    sys.stdout.flush()
