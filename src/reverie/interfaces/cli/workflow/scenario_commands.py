"""The subcommands of `reverie workflow` about scenarios."""

from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option

_STRESS = """
reverie workflow stress import_orders
reverie workflow stress import_orders --scenario flaky_upstream --level high --json
reverie workflow stress import_orders --preset-file calm.json --preset-file storm.json --runs 4
"""


@click.command("stress", cls=Command, example=_STRESS)
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


@click.command("trajectory", cls=Command, example="reverie workflow trajectory import_orders")
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
