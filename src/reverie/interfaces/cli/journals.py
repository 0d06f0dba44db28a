"""The journal that a command reads or writes, and the published events beside it.

Events are shown with how far each sink is behind.
"""

import json
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from reverie import store
from reverie.bootstrap import rules_in_force
from reverie.bootstrap.repository import keep_past
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_since, shown_moment
from reverie.interfaces.cli.output import emit_json, emit_table
from reverie.model.codec import plain
from reverie.model.events import Event
from reverie.store import Journal

if TYPE_CHECKING:
    from reverie.sandbox.safety import RuleSet

HOW_TO_GET_ONE = "run `reverie init`, or give --journal-url"


@contextmanager
def existing_journal(app: App) -> Iterator[Journal | None]:
    """The journal of this invocation; None when there is none, or nothing was recorded yet."""
    url = app.loaded.journal_url
    journal = None if url is None else Journal.find(url)
    if journal is None:
        yield None
        return
    with journal:
        keep_past(app.loaded, journal)
        yield journal


@contextmanager
def writable_journal(app: App, what: str, named: str | None = None) -> Iterator[Journal]:
    """The journal of this invocation, made if need be; `UsageError` where nobody wants one.

    What is `named` by its id has to be in it: then none is made to say that it is not.
    """
    url = app.loaded.journal_url
    if url is None:
        raise UsageError(f"{what} in the journal, and there is none here: {HOW_TO_GET_ONE}")
    if named is not None and Journal.find(url) is None:
        raise UsageError(f"there is no {named!r:.80} here: nothing was recorded yet")
    with Journal.open(url) as journal:
        keep_past(app.loaded, journal)
        yield journal


def rules_of(app: App) -> "RuleSet":
    """The safety rules in force, with what the journal says about them."""
    with existing_journal(app) as journal:
        stored = () if journal is None else store.load_rules(journal)
    return rules_in_force(app.settings.safety, stored)


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
