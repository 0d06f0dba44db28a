"""`reverie` itself: a group whose commands are imported when they are called."""

import importlib
import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from reverie import __version__
from reverie.interfaces.cli.command import app_of, nearest, shared_options
from reverie.interfaces.cli.registry import (
    COMMANDS,
    FIRST,
    HEADINGS,
    MEANT,
    OTHER_NAMES,
    Entry,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_HINT = (
    "`reverie COMMAND --help` tells of one command, `reverie --help-all` of every command and "
    "option."
)


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
        entry = self.entries.get(OTHER_NAMES.get(cmd_name, cmd_name))
        if entry is None or not _is_there(entry):
            return None
        module, _, attribute = entry.target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that a line begins with; a word that is none says what may be meant."""
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name) is not None:
            return super().resolve_command(ctx, args)
        meant = MEANT.get(name.lower()) or nearest(name, self.list_commands(ctx))
        advice = f"did you mean `reverie {meant}`?" if meant else "`reverie --help` lists them"
        raise click.UsageError(f"No such command {name!r}: {advice}")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Commands with their summaries, from the registry alone; or the options."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        from click.shell_completion import CompletionItem

        names = (name for name in self.list_commands(ctx) if name.startswith(incomplete))
        return [CompletionItem(name, help=self.entries[name].summary) for name in names]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands come first: they are what somebody looks for."""
        self.format_commands(ctx, formatter)
        if not _shows_all(ctx):
            formatter.write_paragraph()
            formatter.write_text(_HINT)
            return
        records = [each.get_help_record(ctx) for each in self.get_params(ctx)]
        with formatter.section("Options of every command, before or after its name"):
            formatter.write_dl([each for each in records if each is not None])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The first commands with their summaries; the others by name, or all with summaries."""
        grouped: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS}
        for name in self.list_commands(ctx):
            entry = self.entries[name]
            grouped[entry.heading].append((name, entry.summary))
        for heading, commands in grouped.items():
            if heading == FIRST or _shows_all(ctx):
                about = HEADINGS[heading]
                with formatter.section(f"{heading} ({about})" if about else heading):
                    formatter.write_dl(commands)
        if not _shows_all(ctx):
            rows = [
                (heading, ", ".join(name for name, _ in commands))
                for heading, commands in grouped.items()
                if heading != FIRST
            ]
            with formatter.section("More commands"):
                formatter.write_dl(rows)


def _is_there(entry: Entry) -> bool:
    return importlib.util.find_spec(entry.target.partition(":")[0]) is not None


def _shows_all(ctx: click.Context) -> bool:
    return bool(ctx.meta.get("reverie.help_all"))


def _main(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is not None:
        return
    if app_of(ctx).json:
        raise click.UsageError("no command given")
    click.echo(ctx.get_help())


def build_root() -> LazyGroup:
    """The `reverie` command."""
    flags = (
        ("--version", _print_version, "Show the version and exit."),
        ("--help-all", _print_all, "Show every command and option, and exit."),
    )
    eager = [
        click.Option(
            [name], is_flag=True, is_eager=True, expose_value=False, callback=call, help=text
        )
        for name, call, text in flags
    ]
    return LazyGroup(
        name="reverie",
        entries=COMMANDS,
        callback=click.pass_context(_main),
        invoke_without_command=True,
        params=[*shared_options(), *eager],
        help="Improves a Python repository while nobody works on it, and proves every change.",
        epilog="Exit codes: 0 done, 1 the answer is no, 2 wrong usage or input, 3 Reverie failed.",
    )


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"reverie {__version__}")
        ctx.exit()


def _print_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["reverie.help_all"] = True
        click.echo(ctx.get_help())
        ctx.exit()
