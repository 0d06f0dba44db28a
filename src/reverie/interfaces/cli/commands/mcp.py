"""`reverie mcp`: the server that coding agents talk to."""

from importlib.util import find_spec

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option

_EXAMPLE = """
reverie mcp                             # over stdio, for one agent
reverie mcp --http --port 8377          # for several, with a token
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--http", is_flag=True, help="Listen for HTTP instead of stdin.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@click.option("--all-tools", is_flag=True, help="List the tools of the dream journal one by one.")
@click.option("--text", is_flag=True, help="Answer as text: for clients that read no structure.")
@setting_option("mcp.host")
@setting_option("mcp.port")
@setting_option("mcp.calls")
@setting_option("sandbox.tier")
@click.pass_obj
def command(app: App, http: bool, python: str | None, all_tools: bool, text: bool) -> int:
    """Serve the Model Context Protocol for the repository, until the client is done.

    An agent starts a task, checks its work with the judge that every change goes to, and hands it
    in; other tools run tests and code in the sandbox. None reaches outside of the repository, and
    an answer is at most some 4,000 tokens long unless more is asked for. Over HTTP a client shows
    the token of `mcp.token`, or the one that is said at the start.
    """
    if find_spec("mcp") is None:
        raise UsageError("the server needs the MCP SDK: pip install 'reverie[mcp]'")
    from reverie.interfaces.mcp.serving import Manner, serve_http, serve_stdio

    manner = Manner(lists_all=all_tools, as_text=text)

    if http:
        serve_http(app.loaded, _say, python, manner)
    else:
        serve_stdio(app.loaded, python, manner)
    return 0


def _say(address: str, token: str) -> None:
    click.echo(f"listening on {address}", err=True)
    click.echo(f"token: {token}", err=True)
