"""`reverie canary`: old and new side by side on traffic, and back when the new one is worse."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option
from reverie.interfaces.cli.output import emit_json, printable
from reverie.model.codec import plain

if TYPE_CHECKING:
    from reverie.model.cycle import Rollback
    from reverie.model.measurements.equivalence import Canary, CanaryPlan

_EXAMPLE = """
reverie canary start 3f2a9c --share 5% --calls 1000 --for 60s
reverie canary start --old old.py:total --new new.py:total --traffic calls.txt
reverie canary status
reverie canary stop
"""


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Run a new version beside the old one on recorded or generated traffic, in the sandbox.

    A new error, a different result or a slower new version ends it; a promotion that it was
    started for is rolled back by itself.
    """


@command.command("start", cls=Command, example="reverie canary start 3f2a9c --share 5%")
@click.argument("dream", required=False, metavar="[ID]")
@click.option("--old", metavar="FILE:callable", help="Instead of a promotion: the old version.")
@click.option("--new", metavar="FILE:callable", help="Instead of a promotion: the new version.")
@click.option("--traffic", metavar="FILE", help="Recorded calls, one a line; otherwise generated.")
@click.option(
    "--share", default="5%", metavar="SHARE", help="Of the calls that both see [default: 5%]."
)
@click.option(
    "--calls", default=1000, type=click.IntRange(1, 10**7), help="To compare [default: 1000]."
)
@click.option("--for", "time", default="60s", metavar="TIME", help="At most [default: 60s].")
@click.option(
    "--slower", default=1.25, type=click.FloatRange(1.01, 100), help="Too slow [default: 1.25]."
)
@click.option("--seed", default=0, type=click.IntRange(0, 1 << 32), help="Of generated traffic.")
@setting_option("sandbox.tier")
@setting_option("promotion.branch_prefix")
@click.pass_obj
def start(app: App, /, dream: str | None, **given: Any) -> int:
    """Start a canary and see it through; `stop` in another terminal ends it early.

    The exit code is 0 when it passed, and 1 when it failed, was stopped, or saw too few calls.
    """
    from reverie.model.measurements.equivalence import CanaryPlan

    plan = CanaryPlan(
        share=_share(given["share"]),
        calls=given["calls"],
        seconds=parse_duration(given["time"], "--for"),
        slower=given["slower"],
    )
    has_files = given["old"] is not None and given["new"] is not None
    if (dream is None) != has_files or (dream is not None and (given["old"] or given["new"])):
        raise UsageError("give either the ID of a promotion, or both --old and --new")
    several, rollback = _run(app, dream, given, plan)
    document = plain(several)
    if app.json:
        back = None if rollback is None else {"branch": rollback.branch, "commit": rollback.commit}
        emit_json({"canaries": document, "passed": _passed(several), "rolled_back": back})
    else:
        for each in several:
            _show(each)
        if rollback is not None:
            click.echo(f"{rollback.dream_id} is rolled back")
    return 0 if _passed(several) else 1


@command.command("status", cls=Command, example="reverie canary status --json")
@click.argument("canary", required=False, metavar="[ID]")
@click.pass_obj
def status(app: App, canary: str | None) -> int:
    """Show how a canary goes or ended; without an ID the newest. Exit code 1 when it failed."""
    from reverie.store import Journal
    from reverie.store.cycles.findings import find_canary

    with Journal.open(app.loaded.repository_journal_url) as journal:
        found = find_canary(journal, app.repository.path, canary)
    if app.json:
        emit_json(plain(found))
    else:
        _show(found)
    return 1 if found.state == "failed" else 0


@command.command("stop", cls=Command, example="reverie canary stop")
@click.argument("canary", required=False, metavar="[ID]")
@click.pass_obj
def stop(app: App, canary: str | None) -> int:
    """Ask a running canary to end after its batch. Exit code 1 when it does not run."""
    from reverie.store import Journal
    from reverie.store.cycles.findings import ask_to_stop, find_canary

    with Journal.open(app.loaded.repository_journal_url) as journal:
        found = find_canary(journal, app.repository.path, canary)
        is_asked = ask_to_stop(journal, found)
    if app.json:
        emit_json({"id": found.id, "stopping": is_asked})
    else:
        click.echo(
            f"{found.id} is asked to stop"
            if is_asked
            else f"{found.id} does not run: {found.state}"
        )
    return 0 if is_asked else 1


def _run(
    app: App, dream: str | None, given: dict[str, Any], plan: "CanaryPlan"
) -> "tuple[list[Canary], Rollback | None]":
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.deciding import Sides, roll_back_after, run_recorded, sides_of_promotion
    from reverie.instruments.equivalence import read_version
    from reverie.store import Journal
    from reverie.store.cycles.promotions import find_offered

    repository = app.repository.path
    traffic = None if given["traffic"] is None else Path(given["traffic"])
    with ExitStack() as stack:
        journal = stack.enter_context(Journal.open(app.loaded.repository_journal_url))
        offered = None if dream is None else find_offered(journal, repository, dream)
        promotion = None if offered is None else offered.each.promotion
        if promotion is None:
            versions = [read_version(given[side], repository) for side in ("old", "new")]
            pairs = [Sides(*versions)]
        else:
            pairs = stack.enter_context(sides_of_promotion(repository, promotion))
        sandbox = stack.enter_context(open_sandbox(app.settings.sandbox))
        dream_id = None if promotion is None else promotion.dream_id
        ended: list[Canary] = []
        for each in pairs:
            ended.append(run_recorded(journal, repository, sandbox, each, plan, traffic=traffic,
                                      seed=given["seed"], dream_id=dream_id))  # fmt: skip
            failed = ended[-1].state == "failed"
            if failed and offered is not None and promotion is not None:
                cycle_id = offered.header.id
                return ended, roll_back_after(app.loaded, journal, cycle_id, promotion, ended[-1])
    return ended, None


def _passed(several: "list[Canary]") -> bool:
    return all(each.state == "passed" for each in several)


def _share(text: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(%?)", text.strip())
    share = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < share <= 1:
        raise UsageError(f"--share: expected a share such as 5% or 0.05, not {text!r:.40}")
    return share


def _show(canary: "Canary") -> None:
    figures = canary.figures
    reason = "" if canary.reason is None else f": {printable(canary.reason)}"
    click.echo(f"{canary.id}  {canary.state}{reason}")
    click.echo(f"  {printable(canary.old)} beside {printable(canary.new)}")
    click.echo(f"  {figures.compared} calls compared, {figures.differences} different, "
               f"{figures.new_errors} new errors")  # fmt: skip
    if figures.p95_old_ms is not None and figures.p95_new_ms is not None:
        click.echo(f"  p95 {figures.p95_old_ms:.4f} ms old, {figures.p95_new_ms:.4f} ms new")
    if figures.example is not None:
        click.echo(f"  first at {printable(figures.example)}")
