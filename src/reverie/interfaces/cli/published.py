"""Published events as the terminal shows them, and how far each sink is behind."""

import json
from collections import deque
from datetime import UTC, datetime

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.moments import parse_since, shown_moment
from reverie.interfaces.cli.output import emit_json, emit_table
from reverie.model.codec import plain
from reverie.model.published import Event

_DATA_CHARACTERS = 60


def show_published(app: App, since: str | None, limit: int, deliver: bool) -> int:
    """The newest events, and what waits; 1 when it was to be delivered and was not."""
    from reverie.bootstrap.events import deliver_now, outbox_of, standings
    from reverie.events.outbox import Place

    earliest = None if since is None else parse_since(since, datetime.now(UTC))
    if deliver:
        deliver_now(app.loaded)
    outbox = outbox_of(app.loaded)
    events = (entry.event for entry in outbox.since(Place("", 0)))
    newest = deque((each for each in events if each and _is_asked(each, earliest)), maxlen=limit)
    sinks = standings(app.loaded)
    if app.json:
        file = outbox.path if outbox.path.exists() else None
        emit_json({"file": file, "events": plain(newest), "sinks": sinks})
    else:
        if newest:
            emit_table(("when (UTC)", "event", "cycle", "dream", "data"), map(_row, newest))
        else:
            click.echo("no events")
        for sink in sinks:
            click.echo(f"{sink.sink}: {sink.waiting} waiting, {sink.refused} refused")
    return 1 if deliver and any(sink.waiting for sink in sinks) else 0


def _is_asked(event: Event, earliest: datetime | None) -> bool:
    moment = _moment(event)
    return earliest is None or (moment is not None and moment >= earliest)


def _moment(event: Event) -> datetime | None:
    try:
        moment = datetime.fromisoformat(event.at)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _row(event: Event) -> tuple[str, ...]:
    moment, data = _moment(event), json.dumps(event.data, sort_keys=True)
    return (
        "-" if moment is None else shown_moment(moment),
        str(event.name),
        event.cycle_id or "-",
        event.dream_id or "-",
        data if len(data) <= _DATA_CHARACTERS else data[: _DATA_CHARACTERS - 1] + "…",
    )
