"""The one way to tell that something happened: kept in a file, logged, and carried on."""

import json
import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reverie.events.context import current
from reverie.events.courier import Courier, Standing
from reverie.events.outbox import Outbox
from reverie.events.sender import Sender
from reverie.model.published import Event, EventName

_log = logging.getLogger(__name__)


class Bus:
    """Publishes what happens in one repository; any thread may."""

    def __init__(self, outbox: Outbox, repository: Path, couriers: Sequence[Courier] = ()) -> None:
        self._outbox = outbox
        self._repository = str(repository)
        self._couriers = couriers

    def publish(self, name: EventName, data: Mapping[str, Any]) -> None:
        """Keep an event, marked with the cycle and the dream that this thread is about.

        A disk that cannot take it costs the event, not the cycle; that is logged.
        """
        here, now = current(), datetime.now(UTC)
        given = dict(data)
        event = Event(
            id=f"{now:%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(4)}",
            name=name,
            at=now.isoformat(),
            repository=self._repository,
            cycle_id=given.pop("cycle_id", here.cycle_id),
            dream_id=given.pop("dream_id", here.dream_id),
            data=given,
        )
        _log.info("%s %s", name, json.dumps(given, sort_keys=True))
        try:
            self._outbox.append(event)
        except OSError as error:
            _log.error("the event %s is lost: %s", name, error)
            return
        for courier in self._couriers:
            courier.wake()

    def close(self, seconds: float) -> tuple[Standing, ...]:
        """Let the couriers end their rounds; for all of them no longer than that in sum."""
        share = seconds / max(len(self._couriers), 1)
        return tuple(courier.close(share) for courier in self._couriers)


@contextmanager
def open_bus(
    outbox: Outbox,
    repository: Path,
    senders: Sequence[Sender] = (),
    only: frozenset[str] = frozenset(),
    close_seconds: float = 3.0,
) -> Iterator[Bus]:
    """A bus with a courier for each sink, until the block ends."""
    couriers = tuple(Courier(outbox, sender, only) for sender in senders)
    for courier in couriers:
        courier.start()
    bus = Bus(outbox, repository, couriers)
    try:
        yield bus
    finally:
        bus.close(close_seconds)
