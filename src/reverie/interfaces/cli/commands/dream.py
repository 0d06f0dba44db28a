"""`reverie dream`: the dream journal, from imagining variants to learning from their tests."""

import asyncio
from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option
from reverie.interfaces.cli.views import dreams as actions
from reverie.interfaces.cli.views import dreams as reports
from reverie.model.dream import DreamStatus
from reverie.model.procedure import DreamTier, DreamType

_EXAMPLE = """
reverie dream new src/shop/orders.py:totals
reverie dream evaluate
reverie dream test
reverie dream report
"""
_ADD_EXAMPLE = """
reverie dream add totals.py:totals --base shop.orders:totals
reverie dream add - --title "Rounds once, at the end" < totals.py
"""
_REPLY_EXAMPLE = """
reverie dream evaluate
echo '{"dream_id": 7, "viability": 0.8, "tier": 1, "reasoning": "One pass less."}' \\
  | reverie dream evaluate --reply - --by ada
"""
_STRATEGIES = ("light", "balanced", "deep")
_seed = click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0, 1 << 32), help="Of the inputs."
)
_limit = click.option(
    "--limit", default=50, show_default=True, type=click.IntRange(1), help="So many at most."
)
_ids = click.argument("ids", metavar="[ID]...", nargs=-1, type=click.IntRange(1))


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Imagine variants of functions; evaluate, test and learn from them.

    Dreams live in the journal of the repository until they are tested. All of their code runs in
    the sandbox.
    """


@command.command("new", cls=Command, example="reverie dream new shop.orders --strategy light")
@click.argument("targets", metavar="[TARGET]...", nargs=-1)
@click.option(
    "--strategy",
    default="balanced",
    show_default=True,
    type=click.Choice(_STRATEGIES),
    help="5, 15 or 30 variants of each kind per function.",
)
@click.option(
    "--with", "others", metavar="DIR", multiple=True, help="Another repository to combine with."
)
@click.option(
    "--functions", default=10, show_default=True, type=click.IntRange(1), help="So many at most."
)
@click.option("--untightened", is_flag=True, help="Pass over what learning put on dreamers.")
@_seed
@setting_option("journal.url")
@setting_option("sandbox.tier")
@click.pass_obj
def new(app: App, /, **given: Any) -> int:
    """Imagine variants of functions and keep those that were seen to differ.

    TARGET is module, module:function or file.py:function; without one it is the whole repository,
    functions that have the fewest dreams first. The exit code is 1 when nothing was kept.
    """
    return asyncio.run(actions.imagine(app, given))


@command.command("add", cls=Command, example=_ADD_EXAMPLE)
@click.argument("file", metavar="FILE[:function]")
@click.option("--base", metavar="TARGET", help="The function that it is a variant of.")
@click.option("--title", metavar="TEXT", help="What is different, in one line.")
@click.option("--by", default="person", show_default=True, metavar="NAME", help="Who made it.")
@setting_option("journal.url")
@click.pass_obj
def add(app: App, /, **given: Any) -> None:
    """Add a dream of your own: a file of Python, or - for standard input."""
    asyncio.run(actions.add(app, given))


@command.command("list", cls=Command, example="reverie dream list --status pending_test")
@click.option("--status", type=click.Choice([each.value for each in DreamStatus]), help="There.")
@click.option("--tier", type=click.Choice([each.value for each in DreamTier]), help="Of that tier.")
@click.option("--type", "dream_type", type=click.Choice([each.value for each in DreamType]),
              help="Imagined that way.")  # fmt: skip
@click.option("--base", metavar="module:function", help="Variants of that function.")
@_limit
@setting_option("journal.url")
@click.pass_obj
def list_dreams(app: App, /, **given: Any) -> None:
    """List dreams, newest first."""
    asyncio.run(actions.list_dreams(app, given))


@command.command("show", cls=Command, example="reverie dream show 7")
@click.argument("dream_id", metavar="ID", type=click.IntRange(1))
@setting_option("journal.url")
@click.pass_obj
def show(app: App, dream_id: int) -> None:
    """Show everything about one dream."""
    asyncio.run(actions.show(app, dream_id))


@command.command("evaluate", cls=Command, example=_REPLY_EXAMPLE)
@_ids
@click.option("--reply", metavar="FILE", help="An evaluator's JSON; - is standard input.")
@click.option("--model", is_flag=True, help="Ask the model of the settings.")
@click.option("--by", default="person", show_default=True, metavar="NAME", help="Who replied.")
@setting_option("journal.url")
@click.pass_obj
def evaluate(app: App, /, **given: Any) -> None:
    """Say how likely dreams are to work: by the record of the rule that made them, or by a reply.

    A dream that comes into tier 1 waits for its test from then on. A reply that is not exactly one
    evaluation is refused, with the reason, and changes nothing.
    """
    asyncio.run(actions.evaluate(app, given))


@command.command("test", cls=Command, example="reverie dream test --inputs 75")
@_ids
@click.option(
    "--inputs",
    default=30,
    show_default=True,
    type=click.IntRange(1, 10_000),
    help="Calls per dream.",
)
@click.option("--timeout", default="5s", show_default=True, metavar="TIME", help="Of one call.")
@click.option("--edges", is_flag=True, help="Only at the edges; the dreams stay as they are.")
@_seed
@setting_option("journal.url")
@setting_option("sandbox.tier")
@click.pass_obj
def test(app: App, /, **given: Any) -> int:
    """Call dreams in the sandbox beside their base: those of tier 1 that wait, or some by ID.

    The exit code is 1 when one of them failed.
    """
    return asyncio.run(actions.test(app, given))


@command.command("report", cls=Command, example="reverie dream report --tighten")
@click.option("--tighten", is_flag=True, help="Put on dreamers what their failures call for.")
@click.option("--lift", metavar="ID", type=click.IntRange(1), help="Take one such thing back.")
@setting_option("journal.url")
@click.pass_obj
def report(app: App, /, **given: Any) -> None:
    """Show what the tests teach: what fails most, what would help, what is tightened."""
    asyncio.run(reports.report(app, given))


@command.command("journal", cls=Command, example="reverie dream journal --limit 7")
@_limit
@setting_option("journal.url")
@click.pass_obj
def journal(app: App, /, **given: Any) -> None:
    """Show what was made and tested, by day, cycles included."""
    asyncio.run(reports.journal(app, given))


@command.command("health", cls=Command, example="reverie dream health --json")
@click.option("--days", default=30, show_default=True, type=click.IntRange(1), help="Of the trend.")
@setting_option("journal.url")
@click.pass_obj
def health(app: App, /, **given: Any) -> int:
    """Measure how healthy the dreams are; the exit code is 1 when they are not."""
    return asyncio.run(reports.health(app, given))
