"""`reverie history`: what was executed, how it went, and what keeps failing."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import click

from reverie import store
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_since, shown_moment
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import HOW_TO_GET_ONE, existing_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.history import (
    ExecutionDetails,
    ExecutionRecord,
    ExecutionStatistics,
    FailurePattern,
)
from reverie.model.outcome import IsolationTier, TestOutcome, counted
from reverie.trials.fixes import with_fix

_EXAMPLE = """
reverie history --outcome timeout --since 2h
reverie history 3f9a --json
reverie history --patterns
"""
_ID_CHARACTERS = 12
_MESSAGE_CHARACTERS = 60


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("execution_id", metavar="[ID]", required=False)
@click.option(
    "--outcome",
    metavar="WORD",
    type=click.Choice([each.value for each in TestOutcome]),
    help="Only success, timeout, type_error, …",
)
@click.option(
    "--tier",
    metavar="WORD",
    type=click.Choice([each.value for each in IsolationTier]),
    help="Only what ran under this isolation tier.",
)
@click.option("--since", metavar="WHEN", help="30m, 2h, 3d ago, or a date or time.")
@click.option("--limit", metavar="N", type=int, default=20, help="At most so many. Default 20.")
@click.option("--before", metavar="ID", help="The page after the one that ended with ID.")
@click.option("--stats", is_flag=True, help="Counts, success rate and durations instead.")
@click.option("--patterns", is_flag=True, help="Failures by frequency, with a fix, instead.")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, /, **given: Any) -> None:
    """Show recorded executions, newest first; with an ID, everything about one.

    An ID may be cut to what no other execution's starts with.
    """
    _refuse_contradictions(given)
    since = None if given["since"] is None else parse_since(given["since"], datetime.now(UTC))
    with existing_journal(app) as journal:
        if journal is None:
            _say_nothing_is_there(app, given)
        elif given["execution_id"] is not None:
            _show_details(app, journal, given["execution_id"])
        elif given["stats"]:
            _show_statistics(app, journal, store.statistics(journal, since))
        elif given["patterns"]:
            found = store.failure_patterns(journal, given["limit"])
            _show_patterns(app, journal, [with_fix(pattern) for pattern in found])
        else:
            _show_records(app, journal, _records(journal, given, since))


def _refuse_contradictions(given: dict[str, Any]) -> None:
    modes = [name for name in ("execution_id", "stats", "patterns") if given[name]]
    filters = [name for name in ("outcome", "tier", "since", "before") if given[name] is not None]
    if len(modes) > 1:
        raise UsageError("give an ID, --stats or --patterns, not two of them")
    allowed = {"since"} if modes == ["stats"] else set()
    for name in filters if modes else ():
        if name not in allowed:
            what = "an ID" if modes == ["execution_id"] else f"--{modes[0]}"
            raise UsageError(f"--{name} does not go with {what}")


def _records(
    journal: store.Journal, given: dict[str, Any], since: datetime | None
) -> tuple[ExecutionRecord, ...]:
    return store.history(
        journal,
        limit=given["limit"],
        before=given["before"],
        outcome=None if given["outcome"] is None else TestOutcome(given["outcome"]),
        isolation=None if given["tier"] is None else IsolationTier(given["tier"]),
        since=since,
    )


def _say_nothing_is_there(app: App, given: dict[str, Any]) -> None:
    if given["execution_id"] is not None:
        raise UsageError(f"no execution has the id {given['execution_id']!r}: nothing is recorded")
    if app.json:
        empty: dict[str, Any] = {"executions": []}
        if given["stats"]:
            empty = {"statistics": None}
        elif given["patterns"]:
            empty = {"patterns": []}
        emit_json({"journal": None, **empty})
    elif app.loaded.journal_url is None:
        click.echo(f"nothing is recorded here: {HOW_TO_GET_ONE}")
    else:
        click.echo("nothing is recorded yet")


def _show_records(app: App, journal: store.Journal, records: Sequence[ExecutionRecord]) -> None:
    if app.json:
        emit_json({"journal": journal.location, "executions": records})
        return
    if not records:
        click.echo("no execution matches")
        return
    columns = ("id", "started (UTC)", "outcome", "category", "ms", "MiB", "tier", "what", "error")
    emit_table(columns, [_row(record) for record in records])


def _row(record: ExecutionRecord) -> tuple[str, ...]:
    return (
        record.id[:_ID_CHARACTERS],
        shown_moment(record.started_at),
        record.outcome,
        record.error_category or "-",
        _number(record.duration_ms),
        _mebibytes(record.peak_rss_bytes),
        record.isolation,
        f"{record.target} {record.entry or ''}".rstrip(),
        _cut(record.error_message),
    )


def _show_details(app: App, journal: store.Journal, execution_id: str) -> None:
    found = store.details(journal, execution_id)
    if app.json:
        emit_json({"journal": journal.location, "execution": execution_document(found)})
    else:
        show_execution(found)


def show_execution(found: ExecutionDetails) -> None:
    """Everything about one execution, as a table with its source under it."""
    pattern = _pattern(found)
    rows = [(name, _cell(getattr(found.record, name))) for name in _names(ExecutionRecord)]
    rows += [(f"policy {name}", _cell(value)) for name, value in found.policy.items()]
    rows += [(f"limit {name}", _cell(value)) for name, value in found.limits.items()]
    if pattern is not None:
        rows += [
            ("seen", counted(pattern.frequency, "time")),
            ("fix", pattern.suggested_fix or "-"),
        ]
    emit_table(("what", "value"), rows)
    if found.source is not None:
        click.echo("\nsource" + (" (cut)" if found.source_truncated else ""))
        click.echo(printable(found.source, multiline=True))


def execution_document(found: ExecutionDetails) -> dict[str, Any]:
    """Everything about one execution, as JSON values."""
    record = {name: getattr(found.record, name) for name in _names(ExecutionRecord)}
    return {
        **record,
        "policy": found.policy,
        "limits": found.limits,
        "source": found.source,
        "source_truncated": found.source_truncated,
        "pattern": _pattern(found),
    }


def _pattern(found: ExecutionDetails) -> FailurePattern | None:
    return None if found.pattern is None else with_fix(found.pattern)


def _show_statistics(app: App, journal: store.Journal, figures: ExecutionStatistics) -> None:
    if app.json:
        emit_json({"journal": journal.location, "statistics": figures})
        return
    rate = figures.success_rate
    rows: list[tuple[str, object]] = [
        ("executions", figures.executions),
        ("success rate", "-" if rate is None else f"{rate:.1%}"),
        ("mean ms", _number(figures.mean_duration_ms)),
        ("p50 ms", _number(figures.p50_duration_ms)),
        ("p95 ms", _number(figures.p95_duration_ms)),
        ("durations measured", figures.durations),
        ("failure patterns", figures.failure_patterns),
    ]
    rows += [(f"outcome {name}", count) for name, count in sorted(figures.by_outcome.items())]
    rows += [(f"category {name}", count) for name, count in sorted(figures.by_category.items())]
    rows += [(f"tier {name}", count) for name, count in sorted(figures.by_isolation.items())]
    emit_table(("figure", "value"), rows)


def _show_patterns(app: App, journal: store.Journal, patterns: Sequence[FailurePattern]) -> None:
    if app.json:
        emit_json({"journal": journal.location, "patterns": patterns})
        return
    if not patterns:
        click.echo("nothing has failed")
        return
    show_patterns(patterns)


def show_patterns(patterns: Sequence[FailurePattern]) -> None:
    """Patterns of failures as a table, with what would help."""
    columns = ("signature", "category", "times", "last seen (UTC)", "error", "fix")
    emit_table(
        columns,
        [
            (
                each.signature,
                each.error_category,
                each.frequency,
                shown_moment(each.last_seen),
                _cut(each.error_message),
                each.suggested_fix or "-",
            )
            for each in patterns
        ],
    )


def _names(kind: type[ExecutionRecord]) -> list[str]:
    return [each.name for each in fields(kind)]


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return shown_moment(value)
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _mebibytes(value: int | None) -> str:
    return "-" if value is None else f"{value / (1 << 20):.0f}"


def _cut(text: str | None) -> str:
    line = " ".join((text or "-").split())
    return line if len(line) <= _MESSAGE_CHARACTERS else line[: _MESSAGE_CHARACTERS - 1] + "…"
