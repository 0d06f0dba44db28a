"""`reverie completion`: what makes a shell complete commands, options and choices."""

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.output import emit_json

_EXAMPLE = """
eval "$(reverie completion bash)"                                      # in ~/.bashrc
eval "$(reverie completion zsh)"                                       # in ~/.zshrc
reverie completion fish > ~/.config/fish/completions/reverie.fish
"""
_SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_REVERIE_COMPLETE"


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_obj
def command(app: App, shell: str) -> None:
    """Print a script that makes a shell complete what you type after `reverie`."""
    from click.shell_completion import get_completion_class

    from reverie.interfaces.cli.root import build_root

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"no completion for {shell!r}")
    about = kind(build_root(), {}, "reverie", VARIABLE)
    script = about.source_template % about.source_vars()
    if app.json:
        emit_json({"shell": shell, "script": script})
    else:
        click.echo(script)
