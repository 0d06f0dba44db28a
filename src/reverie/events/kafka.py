"""Events to a topic of Kafka; the library is an extra, loaded when the sink is opened."""

from typing import Any

from reverie.errors import UsageError
from reverie.events.sender import Unacceptable, Undelivered
from reverie.model.published import Event


class KafkaSender:
    """Produces one event at a time, so that none overtakes another. The key is the repository."""

    name = "kafka"

    def __init__(
        self, servers: str, topic: str, timeout_seconds: float = 10.0, **more: Any
    ) -> None:
        try:
            from confluent_kafka import Producer
        except ImportError:
            told = "events.kafka_servers needs the extra: pip install 'reverie[kafka]'"
            raise UsageError(told) from None
        self._topic = topic
        self._seconds = timeout_seconds
        settings = {
            "bootstrap.servers": servers,
            "enable.idempotence": True,
            "message.timeout.ms": int(timeout_seconds * 1000),
            "log_level": 0,
            **more,
        }
        self._producer = Producer(settings)

    def send(self, event: Event, line: bytes) -> None:
        """Wait until the brokers have it, or give it up here before it is tried again."""
        answers: list[Any] = []
        key = event.repository.encode()
        try:
            self._producer.produce(
                self._topic, line, key, on_delivery=lambda error, _: answers.append(error)
            )
        except (BufferError, RuntimeError) as error:
            raise Undelivered(f"kafka: {error}") from None
        self._producer.flush(self._seconds)
        if not answers:
            self._producer.purge()
            self._producer.flush(1.0)
            raise Undelivered(f"kafka: no answer within {self._seconds:g} s")
        if answers[0] is not None:
            is_too_large = answers[0].name() == "MSG_SIZE_TOO_LARGE"
            kind = Unacceptable if is_too_large else Undelivered
            raise kind(f"kafka: {answers[0].str()}")

    def close(self) -> None:
        """What was given to it has arrived or was given up."""
        self._producer.purge()
