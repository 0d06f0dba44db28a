"""Against the brokers that the library brings: real sockets on loopback."""

from pathlib import Path

from reverie.events.bus import open_bus, standing_of
from reverie.events.outbox import Outbox
from reverie.events.sinks import KafkaSender
from reverie.model.events import EventName


def test_events_are_produced_and_acknowledged(tmp_path: Path) -> None:
    sender = KafkaSender("", "reverie", 10.0, **{"test.mock.num.brokers": 1})
    with open_bus(Outbox(tmp_path), tmp_path, (sender,), close_seconds=15.0) as bus:
        for turn in range(5):
            bus.publish(EventName.DREAM_REJECTED, {"turn": turn})
    assert standing_of(Outbox(tmp_path), "kafka", frozenset()).waiting == 0


def test_without_a_broker_events_wait(tmp_path: Path) -> None:
    sender = KafkaSender("127.0.0.1:9", "reverie", 0.5)
    with open_bus(Outbox(tmp_path), tmp_path, (sender,), close_seconds=0.7) as bus:
        bus.publish(EventName.DREAM_REJECTED, {})
    assert standing_of(Outbox(tmp_path), "kafka", frozenset()).waiting == 1
