"""`reverie` itself: a group whose commands are imported when they are called."""

import importlib
import importlib.util
from collections.abc import Mapping
from typing import Any

import click

from reverie import __version__
from reverie.interfaces.cli.command import app_of, shared_options
from reverie.interfaces.cli.registry import COMMANDS, Entry


class LazyGroup(click.Group):
    """A group that knows its commands by name and place, and imports none to list them."""

    def __init__(self, *args: Any, entries: Mapping[str, Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names whose module is there, in the order of the registry."""
        return [name for name, entry in self.entries.items() if _is_there(entry)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        entry = self.entries.get(cmd_name)
        if entry is None or not _is_there(entry):
            return None
        module, _, attribute = entry.target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their summaries, from the registry alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(n, self.entries[n].summary) for n in self.list_commands(ctx)])


def _is_there(entry: Entry) -> bool:
    return importlib.util.find_spec(entry.target.partition(":")[0]) is not None


def _main(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is not None:
        return
    if app_of(ctx).json:
        raise click.UsageError("no command given")
    click.echo(ctx.get_help())


def build_root() -> LazyGroup:
    """The `reverie` command."""
    version = click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_version,
        help="Show the version and exit.",
    )
    return LazyGroup(
        name="reverie",
        entries=COMMANDS,
        callback=click.pass_context(_main),
        invoke_without_command=True,
        params=[*shared_options(), version],
        help="Improves a Python repository while its people sleep, and proves every change.",
        epilog="Exit codes: 0 done, 1 the answer is no, 2 wrong usage or input, 3 our failure.",
    )


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"reverie {__version__}")
        ctx.exit()
