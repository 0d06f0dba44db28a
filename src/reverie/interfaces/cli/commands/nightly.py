"""`reverie nightly`: a cycle every night, by the machine's own scheduler."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import Refused, UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option
from reverie.interfaces.cli.output import emit_json, printable

if TYPE_CHECKING:
    from reverie.cycle.scheduler_entries import Schedule

_EXAMPLE = """
reverie nightly install --time 02:00
reverie nightly status
reverie nightly uninstall
"""
_SCHEDULERS = ("systemd", "cron")


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Have a cycle run every night, look how the last one went, or stop it.

    A systemd user timer where there is one, otherwise cron. A night that the machine slept
    through is caught up.
    """


@command.command("install", cls=Command, example="reverie nightly install --time 02:00 --dry-run")
@click.option("--scheduler", type=click.Choice(_SCHEDULERS), help="Otherwise what answers here.")
@click.option("--dry-run", is_flag=True, help="Only print what would be written.")
@setting_option("nightly.time")
@click.pass_obj
def install(app: App, scheduler: str | None, dry_run: bool) -> None:
    """Put the night of this repository into the scheduler; an older one is replaced."""
    from reverie.bootstrap.nightly import Nights
    from reverie.cycle.scheduler_entries import Machine, Scheduler, cron_lines

    _require_prepared(app)
    machine, schedule = Machine(app.environ), _schedule(app)
    wanted = None if scheduler is None else Scheduler(scheduler)
    try:
        chosen = machine.usual(wanted) if dry_run else machine.find(wanted)
    except Refused as error:
        line = cron_lines(schedule)[1]
        raise Refused(f"{error}; for a scheduler of your own, as a line for cron: {line}") from None
    text = _text(schedule, chosen.value)
    if not dry_run:
        machine.install(schedule, chosen)
        nights = Nights(app.loaded)
        nights.diary.note_installed(nights.clock())
    document = {
        "repository": schedule.repository,
        "scheduler": chosen.value,
        "time": app.settings.nightly.time,
        "written": text,
        "dry_run": dry_run,
    }
    if app.json:
        emit_json(document)
    elif dry_run:
        click.echo(printable(text, multiline=True), nl=False)
    else:
        when = app.settings.nightly.time
        click.echo(printable(f"{chosen} starts {schedule.repository} at {when} every night"))


@command.command("status", cls=Command, example="reverie nightly status --json")
@click.pass_obj
def status(app: App) -> int:
    """Show whether the night is scheduled, and how the last one went; exit 1 when it is not."""
    from reverie.bootstrap.nightly import Nights
    from reverie.cycle.scheduler_entries import Machine

    found = Machine(app.environ).installed(_schedule(app))
    times = [each for each in found.values() if each is not None]
    time = times[0] if times else app.settings.nightly.time
    nights = Nights(app.loaded)
    last = nights.diary.last()
    document: dict[str, Any] = {
        "repository": app.loaded.repository,
        "schedulers": [each.value for each in found],
        "time": time,
        "last": None if last is None else asdict(last),
        "missed": bool(found) and nights.is_missed(time),
        "log": str(nights.diary.log),
    }
    if app.json:
        emit_json(document)
    else:
        _show(document)
    return 0 if found else 1


@command.command("run", cls=Command, example="reverie nightly run --budget 30m")
@click.option("--missed", is_flag=True, help="Only when the run that is due did not begin.")
@setting_option("nightly.budget_seconds")
@setting_option("nightly.time")
@setting_option("sandbox.tier")
@click.pass_obj
def run(app: App, missed: bool) -> int:
    """Run one night now, into its log, as the scheduler does.

    The exit code is 0 when the cycle came to its end, 1 when Reverie failed at every module that it
    began or another night is under way, 3 when our machinery failed.
    """
    from reverie.bootstrap.nightly import Nights

    _require_prepared(app)
    nights = Nights(app.loaded)
    if missed and not nights.is_missed(app.settings.nightly.time):
        if app.json:
            emit_json({"ran": False, "last": nights.diary.last()})
        return 0
    record = nights.run()
    if app.json:
        emit_json({"ran": True, "last": record})
    else:
        click.echo(printable(f"exit code {record.exit_code}; log: {nights.diary.log}"))
    return record.exit_code or 0


@command.command("uninstall", cls=Command, example="reverie nightly uninstall")
@click.option("--dry-run", is_flag=True, help="Only say where it would be taken out.")
@click.pass_obj
def uninstall(app: App, dry_run: bool) -> int:
    """Take the night of this repository out of every scheduler; exit 1 when none had it."""
    from reverie.cycle.scheduler_entries import Machine

    machine, schedule = Machine(app.environ), _schedule(app)
    found = machine.installed(schedule) if dry_run else machine.uninstall(schedule)
    names = [each.value for each in found]
    if app.json:
        emit_json({"repository": schedule.repository, "removed": names, "dry_run": dry_run})
    else:
        click.echo(f"removed from {', '.join(names)}" if names else "it is not scheduled")
    return 0 if names else 1


def _schedule(app: App) -> "Schedule":
    from reverie.bootstrap.nightly import Nights
    from reverie.cycle.scheduler_entries import Schedule, called_as, parse_time

    at, log = parse_time(app.settings.nightly.time), Nights(app.loaded).diary.log.resolve()
    return Schedule(app.loaded.repository.resolve(), at, called_as(sys.executable), log)


def _text(schedule: "Schedule", scheduler: str) -> str:
    from reverie.cycle.scheduler_entries import cron_lines, service_text, timer_text

    if scheduler == "cron":
        return "".join(f"{line}\n" for line in cron_lines(schedule))
    return (
        f"# {schedule.unit}.service\n{service_text(schedule)}\n"
        f"# {schedule.unit}.timer\n{timer_text(schedule)}"
    )


def _require_prepared(app: App) -> None:
    if not app.loaded.is_initialised:
        raise UsageError(f"{str(app.loaded.repository)!r} is not prepared: run `reverie init`")


def _show(document: dict[str, Any]) -> None:
    found = ", ".join(document["schedulers"])
    click.echo(f"scheduled by {found} at {document['time']}" if found else "not scheduled")
    last = document["last"]
    if last is None:
        click.echo("it has not run yet")
    elif last["ended_at"] is None:
        click.echo(printable(f"a run began at {last['began_at']} and has not ended"))
    else:
        click.echo(printable(f"the last run ended at {last['ended_at']}, code {last['exit_code']}"))
    if document["missed"]:
        click.echo("the run that is due has not begun")
    click.echo(printable(f"log: {document['log']}"))
