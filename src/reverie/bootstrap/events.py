"""Events, wired: the file beside the journal, and the sinks that the settings name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reverie.model.events import EventName, Publish, unheard

if TYPE_CHECKING:
    from reverie.events.bus import Sender, Standing
    from reverie.events.outbox import Outbox
    from reverie.settings import Loaded


def outbox_of(loaded: Loaded) -> Outbox:
    """The file of events of a repository."""
    from reverie.events.outbox import Outbox

    return Outbox(loaded.data_dir, loaded.settings.events.max_mb << 20)


@contextmanager
def open_events(loaded: Loaded) -> Iterator[Publish]:
    """What tells of events while the block lasts; nobody is told where they are switched off."""
    from reverie.events.bus import open_bus

    section = loaded.settings.events
    if not section.enabled:
        yield unheard
        return
    with open_bus(
        outbox_of(loaded),
        loaded.repository.resolve(),
        senders_of(loaded),
        frozenset(section.only),
        section.close_seconds,
    ) as bus:
        yield bus.publish


def tell(loaded: Loaded, name: EventName, data: Mapping[str, Any]) -> None:
    """One event, where no more are to come."""
    with open_events(loaded) as publish:
        publish(name, data)


def senders_of(loaded: Loaded) -> tuple[Sender, ...]:
    """The sinks outside of this machine."""
    section = loaded.settings.events
    senders: list[Sender] = []
    if section.webhook is not None:
        from reverie.events.sinks import WebhookSender

        senders.append(
            WebhookSender(section.webhook, section.webhook_secret, section.timeout_seconds)
        )
    if section.kafka_servers is not None:
        from reverie.events.sinks import KafkaSender

        senders.append(
            KafkaSender(section.kafka_servers, section.kafka_topic, section.timeout_seconds)
        )
    return tuple(senders)


def deliver_now(loaded: Loaded) -> None:
    """Send what waits; what does not arrive in time goes on waiting."""
    with open_events(loaded):
        pass


def standings(loaded: Loaded) -> tuple[Standing, ...]:
    """How far every sink that ever was opened is behind."""
    from reverie.events.bus import place_file, standing_of

    outbox, only = outbox_of(loaded), frozenset(loaded.settings.events.only)
    return tuple(
        standing_of(outbox, sink, only)
        for sink in ("webhook", "kafka")
        if place_file(outbox.folder, sink).exists()
    )
