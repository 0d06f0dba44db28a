"""`reverie optimise`: make a callable faster, and prove it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.bootstrap import open_index, open_sandbox
from reverie.errors import UsageError
from reverie.instruments.benchmark.target import named_target
from reverie.instruments.self_check import Proofs
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import (
    environment_options,
    interpreter_for,
    require_environment,
)
from reverie.interfaces.cli.output import emit_json
from reverie.interfaces.cli.progress import step_bar
from reverie.interfaces.cli.views.figures import profile_document, profile_sources, sources_asked
from reverie.interfaces.cli.views.improvements import (
    optimisation_document,
    show_optimisation,
    show_optimisations,
)
from reverie.model.codec import pick
from reverie.model.measurements.benchmark import merged_profile
from reverie.stages.hotspots import (
    Hotspot,
    find_hotspots,
    is_worth_trying,
    optimise_callable,
    optimise_hotspots,
)

if TYPE_CHECKING:
    from reverie.sandbox.engine import Sandbox

_EXAMPLE = """
reverie optimise src/shop/orders.py:totals --budget 30s
reverie optimise slow.py:ranking --inputs slow.py:make_input --json
reverie optimise path/to/repository --budget 10m
"""

_MOST_STEPS = 6


@click.command(cls=Command, example=_EXAMPLE, paths=("target", "inputs"))
@click.argument("target", metavar="[PATH or FILE:callable]", default="")
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
@click.option(
    "--profile",
    "sources",
    type=click.Choice(("tests", "benchmarks", "workflows", "all")),
    default="tests",
    show_default=True,
    help="Of a repository: what is run under a profiler first.",
)
@click.option("--no-profile", is_flag=True, help="Of a repository: run nothing first.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@environment_options()
@setting_option("sandbox.tier")
@setting_option("sandbox.memory_mb")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Rewrite slow patterns in a callable and what it calls; keep what is proven faster.

    Of a repository: its suite, its benchmarks or its declared workflows are run under a profiler,
    and what is hot there is tried first.

    A variant is proven when it behaves like the original on generated inputs and wins the paired
    benchmark. Nothing is written: the new source is printed with --json, the patch without it.
    The exit code is 1 when nothing is proven.
    """
    given["target"] = given["target"] or str(app.repository.path)
    if not Path(given["target"]).is_dir():
        return _optimise_one(app, given)
    if given["inputs"] is not None:
        raise UsageError(f"--inputs goes with FILE:callable, not with {given['target']!r}")
    return _optimise_all(app, given)


def _optimise_one(app: App, given: dict[str, Any]) -> int:
    target = named_target(given["target"])
    maker = None if given["inputs"] is None else named_target(given["inputs"])
    budget_seconds = parse_duration(given["budget"], "--budget")
    python = interpreter_for(app, given["python"], [target.file])
    with open_sandbox(app.settings.sandbox, app.recording_url(), python) as sandbox:
        if is_worth_trying(target):
            _prove(sandbox)
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


def _prove(sandbox: "Sandbox") -> None:
    proofs = Proofs(sandbox)
    proofs.require("equivalence")
    proofs.require("benchmark")


def _optimise_all(app: App, given: dict[str, Any]) -> int:
    """Of a repository: what is hot and known to be slow, hottest first."""
    repository = Path(given["target"]).resolve()
    budget_seconds = parse_duration(given["budget"], "--budget")
    with open_index(repository, app.settings.index, app.settings.safety, None) as reader:
        reader.refresh()
        index = reader.load()
    python = require_environment(app, given["python"])
    with (
        open_sandbox(app.settings.sandbox, app.recording_url(), python) as sandbox,
        step_bar(_MOST_STEPS) as progress,
    ):
        _prove(sandbox)
        asked = () if given["no_profile"] else sources_asked(given["sources"])
        seen = profile_sources(app, sandbox, index, asked, python, progress)
        profile = merged_profile(tuple(seen.values())) if seen else None
        spots = find_hotspots(index, profile)
        guard, seed = app.settings.guard, given["seed"]
        found = optimise_hotspots(sandbox, repository, spots, budget_seconds, guard, seed, progress)
        tier = sandbox.tier
    if app.json:
        emit_json(
            {
                "repository": str(repository),
                "profile": None if profile is None else profile_document(profile, seen),
                "hotspots": [_spot(each) for each in spots],
                "callables": [optimisation_document(each) for each in found],
                "isolation": tier,
            }
        )
    else:
        show_optimisations(found, len(spots))
    return 0 if any(each.best is not None for each in found) else 1


def _spot(spot: Hotspot) -> dict[str, Any]:
    cost = "cost.calls cost.own_seconds cost.total_seconds"
    return pick(spot, f"path callable=qualname {cost} rewrites growth has_inputs")
