"""`reverie optimise`: make a callable faster, and prove it."""

from typing import Any

import click

from reverie.bootstrap import open_sandbox
from reverie.cycle.optimising import optimise_callable
from reverie.instruments.benchmark.target import parse_target
from reverie.instruments.proof import Proofs
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.durations import parse_duration
from reverie.interfaces.cli.optimisations import optimisation_document, show_optimisation
from reverie.interfaces.cli.output import emit_json
from reverie.interfaces.cli.progress import step_bar

_EXAMPLE = """
reverie optimise src/shop/orders.py:totals --budget 30s
reverie optimise slow.py:ranking --inputs slow.py:make_input --json
"""

_MOST_STEPS = 6


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("target", metavar="FILE:callable")
@click.option(
    "--inputs", metavar="FILE:callable", help="make_input(n, seed) that returns (args, kwargs)."
)
@click.option("--budget", default="30s", show_default=True, metavar="TIME", help="For all trials.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 1 << 32),
    help="Of inputs and intervals.",
)
@setting_option("sandbox.tier")
@setting_option("sandbox.memory_mb")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Rewrite slow patterns in a callable and what it calls; keep what is proven faster.

    A variant is proven when it behaves like the original on generated inputs and wins the paired
    benchmark. Nothing is written: the new source is printed with --json, the patch without it.
    The exit code is 1 when nothing is proven.
    """
    target = parse_target(given["target"])
    maker = None if given["inputs"] is None else parse_target(given["inputs"])
    budget_seconds = parse_duration(given["budget"], "--budget")
    with open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox:
        proofs = Proofs(sandbox)
        proofs.require("equivalence")
        proofs.require("benchmark")
        with step_bar(_MOST_STEPS) as progress:
            found = optimise_callable(
                sandbox,
                target,
                maker,
                budget_seconds,
                app.settings.guard,
                given["seed"],
                progress,
            )
        tier = sandbox.tier
    if app.json:
        emit_json({**optimisation_document(found), "isolation": tier})
    else:
        show_optimisation(found)
    return 0 if found.best is not None else 1
