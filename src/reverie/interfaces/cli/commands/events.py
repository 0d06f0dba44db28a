"""`reverie events`: the failures that test runs have left behind, by signature."""

from datetime import UTC, datetime
from pathlib import Path

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_since, shown_moment
from reverie.interfaces.cli.command import Command
from reverie.interfaces.cli.output import counted, emit_json, emit_table
from reverie.learning.failure_events import Passed, cluster, read_events, read_runs
from reverie.model.history import FailureCluster

_EXAMPLE = """
pytest --reverie; reverie events
reverie events reports/events.ndjson --since 2d --json
reverie events --published
"""
_DEFAULT = Path("reports") / "events.ndjson"
_MESSAGE_CHARACTERS = 60


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--since", metavar="WHEN", help="30m, 2h, 3d ago, or a date or time.")
@click.option(
    "--limit", metavar="N", type=click.IntRange(1), default=20, help="At most so many. Default 20."
)
@click.option("--published", is_flag=True, help="Show what was published to others instead.")
@click.option("--deliver", is_flag=True, help="With --published: send first what waits for a sink.")
@click.pass_obj
def command(
    app: App, file: str | None, since: str | None, limit: int, published: bool, deliver: bool
) -> int:
    """Show the failures of test runs by signature: the same bug, however often it was seen.

    FILE is what `pytest --reverie` writes, reports/events.ndjson in the repository unless it is
    given. The flake score is the share of consecutive runs in which the outcome changed: 0 for a
    test that always fails. Lines that are no events are passed over and counted.

    With --published: what cycles and commands reported (promotions, rejections, flags), the newest
    last, and how many events wait for a webhook or for Kafka. The exit code is 1 when --deliver
    leaves some.
    """
    if published:
        from reverie.interfaces.cli.journals import show_published

        if file is not None:
            raise UsageError(f"--published reads the repository's own file, not {file!r}")
        return show_published(app, since, limit, deliver)
    if deliver:
        raise UsageError("--deliver needs --published")
    path = _path(app, file)
    earliest = None if since is None else parse_since(since, datetime.now(UTC))
    passed = Passed()
    found: tuple[FailureCluster, ...] = ()
    if path.exists() or file is not None:
        events = (
            event
            for event in read_events(path, passed)
            if earliest is None or event.seen_at >= earliest
        )
        found = cluster(events, read_runs(path))
    if file is not None and passed.lines and passed.junk == passed.lines:
        raise UsageError(f"no line of {file!r} is an event: `pytest --reverie` writes them")
    if app.json:
        emit_json(_document(path, passed, found, limit))
    else:
        _show(path, passed, found, limit)
    return 0


def _path(app: App, file: str | None) -> Path:
    path = app.repository.path / _DEFAULT if file is None else Path(file)
    if path.exists() and not path.is_file():
        raise UsageError(f"not a file: {str(path)!r}")
    return path


def _document(
    path: Path, passed: Passed, found: tuple[FailureCluster, ...], limit: int
) -> dict[str, object]:
    return {
        "file": path if path.exists() else None,
        "lines": passed,
        "events": sum(each.count for each in found),
        "signatures": len(found),
        "clusters": found[:limit],
    }


def _show(path: Path, passed: Passed, found: tuple[FailureCluster, ...], limit: int) -> None:
    if not path.exists():
        click.echo(f"no events: there is no {_DEFAULT}; `pytest --reverie` writes it")
        return
    columns = ("signature", "times", "tests", "flake", "first seen (UTC)", "last seen", "error")
    if found:
        emit_table((*columns, "again"), [_row(each) for each in found[:limit]])
    events = sum(each.count for each in found)
    click.echo(f"{counted(events, 'event')}, {counted(len(found), 'signature')}")
    skipped = {"no events": passed.junk, "too long": passed.too_long, "torn": passed.torn}
    if told := ", ".join(f"{number} {what}" for what, number in skipped.items() if number):
        click.echo(f"lines passed over: {told}")


def _row(each: FailureCluster) -> tuple[str, ...]:
    return (
        each.signature[:16],
        str(each.count),
        str(len(each.tests)),
        "-" if each.flake_score is None else f"{each.flake_score:.2f}",
        shown_moment(each.first_seen),
        shown_moment(each.last_seen),
        _cut(f"{each.error_class}: {each.message}"),
        each.repro_cmd or "-",
    )


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MESSAGE_CHARACTERS else line[: _MESSAGE_CHARACTERS - 1] + "…"
