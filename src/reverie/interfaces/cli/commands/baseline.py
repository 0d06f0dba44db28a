"""`reverie baseline`: the figures that changes must not lower."""

from typing import Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import environment_options, require_preflight
from reverie.model.codec import plain

_EXAMPLE = """
reverie baseline --raise
reverie baseline --lower suite.passing=380 --decision docs/decisions/0031-fewer-tests.md \\
    --as Ada --key ~/.ssh/id_ed25519
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--raise", "is_raised", is_flag=True, help="Measure, and keep what is better.")
@click.option("--lower", metavar="MEASURE=VALUE", help="Sign for a lower figure; takes two people.")
@click.option("--decision", metavar="FILE", help="The decision record that names the measure.")
@click.option("--as", "name", metavar="NAME", help="Who you are.")
@click.option("--key", metavar="FILE", help="Your private key: Ed25519.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@environment_options()
@setting_option("sandbox.tier")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Show what the repository has reached (.reverie/baseline.json), raise it, or sign it lower.

    `reverie guard` and every trial refuse a change after which a figure is below its baseline.
    The file only moves up, except by a decision on record that two people sign with two keys.
    With --raise the exit code is 1 when a figure is below its baseline.
    """
    from reverie.bootstrap import baselines

    if given["is_raised"] and given["lower"]:
        raise UsageError("--raise and --lower say two things; give one of them")
    repository = app.repository.path
    measured = None
    if given["lower"]:
        signed = baselines.lower(
            repository, given["lower"], given["decision"], given["name"], given["key"]
        )
        baselines.write(repository, signed)
    elif given["is_raised"]:
        around, _ = require_preflight(app, given["python"])
        measured = baselines.measure(repository, app.settings, around)
        if not measured:
            raise UsageError(f"{str(repository)!r} has no tests: there is nothing to measure")
        baselines.write(repository, baselines.read(repository).raised(measured))
    return _tell(app, measured)


def _tell(app: App, measured: Any) -> int:
    from reverie.bootstrap import baselines
    from reverie.interfaces.cli.output import emit_json, emit_table
    from reverie.model.ruling import MEASURES, PATH

    kept = baselines.read(app.repository.path)
    below = sorted(n for n, v in (measured or {}).items() if v < kept.measures.get(n, v))
    if app.json:
        lowered = plain(kept.lowered)
        told = {"file": PATH, "measures": kept.measures, "lowered": lowered}
        emit_json({**told, "measured": measured, "below": below})
    else:
        rows = [(name, f"{kept.measures[name]:g}", MEASURES[name]) for name in kept.measures]
        emit_table(("measure", "baseline", "what it is"), rows)
        for name in below:
            click.echo(f"{name} is {measured[name]:g} now: below its baseline")
    return 1 if below else 0
