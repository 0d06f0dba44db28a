"""`reverie workflow`: ordered steps of a repository, listed, run, compared and improved."""

from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option

_EXAMPLE = """
reverie workflow list
reverie workflow run import_orders
reverie workflow stress import_orders
"""
_STRESS = """
reverie workflow stress import_orders
reverie workflow stress import_orders --scenario flaky_upstream --level high --json
reverie workflow stress import_orders --preset-file calm.json --preset-file storm.json --runs 4
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


@command.command("stress", cls=Command, example=_STRESS)
@click.argument("name", metavar="WORKFLOW")
@click.option("--scenario", metavar="NAME", multiple=True, help="Only this; may be repeated.")
@click.option("--level", metavar="LEVEL", multiple=True, help="Only this; may be repeated.")
@click.option("--preset-file", metavar="FILE", multiple=True, help="Presets; several take turns.")
@click.option("--runs", type=click.IntRange(1, 1000), help="Turns; otherwise one per file.")
@click.option("--upstream", metavar="FILE", help="JSON: what the upstream answers, by path.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where the faults fall.")
@click.option("--adaptive", is_flag=True, help="Make every preset harder while it holds.")
@click.option("--debug-log-file", metavar="FILE", help="Append what --preset-debug tells there.")
@setting_option("scenarios.preset_debug")
@setting_option("scenarios.mode")
@setting_option("scenarios.calls")
@setting_option("scenarios.deadline_seconds")
@setting_option("scenarios.fail_on_missing")
@setting_option("sandbox.tier")
@click.pass_obj
def stress(app: App, /, **given: Any) -> int:
    """Run a workflow while the world misbehaves, with proof that it did.

    Every scenario at every level: survived, failed, or not exercised when its fault never
    fired. The exit code is 1 unless what was exercised was survived.
    """
    from reverie.interfaces.cli.workflow.stressing import stress_one

    return stress_one(app, given)


@command.command("trajectory", cls=Command, example="reverie workflow trajectory import_orders")
@click.argument("name", metavar="WORKFLOW")
@click.option("--level", type=click.Choice(("low", "high")), default="high", show_default=True)
@click.option("--upstream", metavar="FILE", help="JSON: what the upstream answers, by path.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where the faults fall.")
@setting_option("scenarios.calls")
@setting_option("scenarios.deadline_seconds")
@setting_option("sandbox.tier")
@click.pass_obj
def trajectory(app: App, /, **given: Any) -> int:
    """Run a workflow through five stages, each worse, and show what is left of its worth.

    Stages are recorded as cycles of the workflow (`reverie forecast`) where there is a journal.
    The exit code is 1 when a stage failed.
    """
    from reverie.interfaces.cli.workflow.trajectories import follow

    return follow(app, given)
