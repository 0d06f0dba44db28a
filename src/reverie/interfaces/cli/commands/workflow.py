"""`reverie workflow`: ordered steps of a repository, listed, run, compared and improved."""

from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option
from reverie.interfaces.cli.views.scenarios import stress, trajectory

_EXAMPLE = """
reverie workflow list
reverie workflow run import_orders
reverie workflow evolve import_orders
reverie workflow stress import_orders
"""
_RUN_EXAMPLE = """
reverie workflow run import_orders --runs 5
reverie workflow run shop.orders:load shop.orders:total --params '{"path": "orders.csv"}' \\
  --file orders.csv=tests/data/orders.csv
"""


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Find, run, compare and improve the workflows of a repository.

    A workflow is an ordered list of steps, each a module:callable, data flowing from one to the
    next. Every step runs in the sandbox.
    """


@command.command("list", cls=Command, example="reverie workflow list --dynamic-workflows")
@click.option("--declared", is_flag=True, help="Only what is declared or kept; no code is read.")
@click.option(
    "--dynamic-workflows", is_flag=True, help="Also chains of functions whose signatures fit."
)
@setting_option("journal.url")
@click.pass_obj
def list_workflows(app: App, /, **given: Any) -> int:
    """List workflows: declared in pyproject.toml, found in the code, kept in the journal.

    Found are console scripts, __main__ blocks and the chains of calls that tests make. The exit
    code is 1 when there is none.
    """
    from reverie.interfaces.cli.views.workflows import list_all

    return list_all(app, given)


@command.command("run", cls=Command, example=_RUN_EXAMPLE)
@click.argument("names", metavar="WORKFLOW | STEP...", nargs=-1, required=True)
@click.option("--params", metavar="JSON", help="Keyword arguments of the first step.")
@click.option("--file", "files", metavar="NAME=PATH", multiple=True, help="A file for the run.")
@click.option("--safe-mode", is_flag=True, help="Any attempt to reach the network is an error.")
@click.option(
    "--runs", default=1, show_default=True, type=click.IntRange(1, 1000), help="So many times."
)
@setting_option("journal.url")
@setting_option("sandbox.tier")
@setting_option("sandbox.timeout_seconds")
@click.pass_obj
def run(app: App, /, **given: Any) -> int:
    """Run a workflow step by step, with time, memory and outcome of each.

    The exit code is 1 when a step failed or an expected output was not met.
    """
    from reverie.interfaces.cli.views.workflows import run_one

    return run_one(app, given)


@command.command("compare", cls=Command, example="reverie workflow compare nightly weekly --merge")
@click.argument("first", metavar="WORKFLOW")
@click.argument("second", metavar="WORKFLOW")
@click.option("--merge", is_flag=True, help="Merge the second into the first if it is a copy.")
@setting_option("journal.url")
@setting_option("workflows.duplicate_similarity")
@setting_option("workflows.duplicate_entropy")
@click.pass_obj
def compare(app: App, /, **given: Any) -> int:
    """Say how alike two workflows are, and whether one leans on too few modules.

    With --merge the exit code is 1 when they are no copies of one another.
    """
    from reverie.interfaces.cli.views.workflows import compare as compare_two

    return compare_two(app, given)


@command.command("evolve", cls=Command, example="reverie workflow evolve import_orders --limit 8")
@click.argument("name", metavar="WORKFLOW")
@click.option(
    "--limit", default=5, show_default=True, type=click.IntRange(1, 100), help="So many variants."
)
@click.option("--force", is_flag=True, help="Also when earlier attempts gained too little.")
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0, 1 << 32), help="Of the inputs."
)
@setting_option("journal.url")
@setting_option("sandbox.tier")
@setting_option("workflows.gating_threshold")
@setting_option("workflows.gating_consecutive")
@click.pass_obj
def evolve(app: App, /, **given: Any) -> int:
    """Try variants of a workflow, and keep the best that does the same in less time.

    Steps are swapped for equivalent ones, batched, cached, dropped and reordered. The exit code
    is 1 when nothing was better.
    """
    from reverie.interfaces.cli.views.workflows import evolve as evolve_one

    return evolve_one(app, given)


command.add_command(stress)
command.add_command(trajectory)
