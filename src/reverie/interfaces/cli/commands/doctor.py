"""`reverie doctor`: what isolation this machine allows, and how to get more."""

import click

from reverie.bootstrap import open_sandbox
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.measurements.suite import Proof
from reverie.sandbox.doctor.examination import examine
from reverie.sandbox.doctor.findings import Check, Diagnosis, State, TierReport
from reverie.sandbox.doctor.machine import read_machine

_STYLES = {
    State.OK: "green",
    State.LIMITED: "yellow",
    State.MISSING: "red",
    "yes": "green",
    "no": "red",
    "unsound": "bold red",
}


@click.command(cls=Command, example="reverie doctor --json")
@click.option("--instruments", is_flag=True, help="Hold each instrument against what is planted.")
@click.pass_obj
def command(app: App, instruments: bool) -> int:
    """Say what isolation this machine allows, what is missing, and the exact fix.

    Every kernel feature is really tried in a process of its own, and every tier that starts is
    attacked from inside. The exit code is 1 when `auto` has no tier, or one that did not hold.

    With --instruments it is the instruments that are examined: each has to find what was planted
    for it, and the exit code is 1 when one did not.
    """
    return _prove(app) if instruments else _examine(app)


def _prove(app: App) -> int:
    from reverie.instruments.self_check import Proofs, instruments_there

    with open_sandbox(app.settings.sandbox) as sandbox:
        proofs = Proofs(sandbox)
        found = [proofs.of(name) for name in instruments_there()]
    if app.json:
        emit_json({"instruments": [_proof_document(proof) for proof in found]})
    else:
        rows = [
            (proof.instrument, each.name, each.required, each.seen, "yes" if each.passed else "no")
            for proof in found
            for each in proof.sightings
        ]
        emit_table(("instrument", "planted", "required", "seen", "proven"), rows, styles=_STYLES)
    return 0 if all(proof.passed for proof in found) else 1


def _proof_document(proof: Proof) -> dict[str, object]:
    sightings = [pick(each, "name required seen passed") for each in proof.sightings]
    return pick(proof, "instrument passed", sightings=sightings)


def _examine(app: App) -> int:
    diagnosis = examine(read_machine())
    if app.json:
        emit_json(diagnosis)
    else:
        _show(diagnosis)
    return 0 if diagnosis.is_sound else 1


def _pythons() -> list[tuple[str, str]]:
    """What is done for code of each version of Python, and which are not at hand."""
    import os

    from reverie.environment.pythons import NEWEST, OLDEST, pythons_at_hand, reach_of

    there = {each.version: each.binary for each in reversed([*pythons_at_hand(os.environ)])}
    versions = [f"3.{minor}" for minor in range(OLDEST[1], NEWEST[1] + 1)]
    return [
        (each, f"{reach_of(each)} ({there[each]})" if each in there else "no interpreter at hand")
        for each in versions
    ]


def _show(diagnosis: Diagnosis) -> None:
    rows = [(check.name, check.state, check.seen) for check in diagnosis.checks]
    emit_table(("check", "state", "seen"), rows, styles=_STYLES)
    click.echo()
    tiers = [(report.tier, _verdict(report), _story(report)) for report in diagnosis.tiers]
    emit_table(("tier", "usable", "how it went"), tiers, styles=_STYLES)
    click.echo()
    emit_table(("Python", "code of it is"), _pythons(), styles=_STYLES)
    _show_fixes([check for check in diagnosis.checks if check.fix is not None])
    click.echo()
    if diagnosis.tier is None:
        click.echo("auto takes no tier: nothing that Reverie runs would be contained here")
    else:
        click.echo(f"auto takes {diagnosis.tier}{_better(diagnosis)}")


def _verdict(report: TierReport) -> str:
    if not report.available:
        return "no"
    return "yes" if report.is_sound else "unsound"


def _story(report: TierReport) -> str:
    if not report.probes:
        return report.reason or ""
    passed = sum(probe.passed for probe in report.probes)
    failed = [f"{probe.name}: {probe.detail}" for probe in report.probes if not probe.passed]
    return "; ".join((f"{passed} of {len(report.probes)} probes contained", *failed))


def _show_fixes(checks: list[Check]) -> None:
    for check in checks:
        click.echo(printable(f"\n{check.name} ({check.why})", multiline=True))
        click.echo(printable(f"  {check.fix}"))


def _better(diagnosis: Diagnosis) -> str:
    """What stands between this machine and a stronger tier."""
    stronger = diagnosis.tiers[0]
    if diagnosis.tier is stronger.tier:
        return ""
    return printable(f"; {stronger.tier} would be stronger: {stronger.reason}")
