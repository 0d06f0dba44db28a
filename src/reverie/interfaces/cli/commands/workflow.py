"""`reverie workflow`: ordered steps of a repository, listed, run, compared and improved."""

from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option

_EXAMPLE = """
reverie workflow list
reverie workflow run import_orders
"""


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Find, run, compare and improve the workflows of a repository.

    A workflow is an ordered list of steps, each a module:callable, data flowing from one to the
    next. Every step runs in the sandbox.
    """


@command.command("list", cls=Command, example="reverie workflow list --json")
@click.pass_obj
def list_workflows(app: App) -> int:
    """List workflows: declared in pyproject.toml, found in the code, kept in the journal.

    The exit code is 1 when there is none.
    """
    from reverie.interfaces.cli.workflow.listing import list_all

    return list_all(app, {})


@command.command("run", cls=Command, example="reverie workflow run import_orders --json")
@click.argument("name", metavar="WORKFLOW")
@setting_option("sandbox.tier")
@setting_option("sandbox.timeout_seconds")
@click.pass_obj
def run(app: App, /, **given: Any) -> int:
    """Run a workflow step by step; the exit code is 1 when a step or an expectation failed."""
    from reverie.interfaces.cli.workflow.running import run_one

    return run_one(app, given)
