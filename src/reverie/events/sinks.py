"""Sinks outside of this machine: a URL (one POST per event, signed with a secret), a Kafka topic.

The library for Kafka is an extra, loaded when the sink is opened.
"""

import hashlib
import hmac
import http.client
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from reverie import __version__
from reverie.errors import UsageError
from reverie.events.bus import Unacceptable, Undelivered
from reverie.model.events import Event

SIGNATURE = "X-Reverie-Signature"
_NEVER = frozenset({400, 413, 415, 422})
"""Answers about this event; all others are about the receiver, and may change."""
_ANSWER_BYTES = 1 << 16


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A receiver that has moved is named anew by a person: a POST or a token goes nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """No other place is tried."""


@dataclass(frozen=True, slots=True)
class WebhookSender:
    """Posts to one URL. Only its host is ever shown: the path is often a secret."""

    url: str
    secret: str | None = None
    timeout_seconds: float = 10.0

    @property
    def name(self) -> str:
        """Which sink it is."""
        return "webhook"

    def send(self, event: Event, line: bytes) -> None:
        """One POST; arrived when the answer is 2xx."""
        request = urllib.request.Request(self.url, line, self._headers(event, line), method="POST")
        host = urlsplit(self.url).hostname
        try:
            opener = urllib.request.build_opener(NoRedirect)
            with opener.open(request, timeout=self.timeout_seconds) as answer:
                answer.read(_ANSWER_BYTES)
        except urllib.error.HTTPError as error:
            error.close()
            kind = Unacceptable if error.code in _NEVER else Undelivered
            raise kind(f"{host} answered {error.code}") from None
        except urllib.error.URLError as error:
            raise Undelivered(f"{host}: {error.reason}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Undelivered(f"{host}: {type(error).__name__}: {error}") from None

    def close(self) -> None:
        """Nothing is held between events."""

    def _headers(self, event: Event, line: bytes) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"reverie/{__version__}",
            "X-Reverie-Event": str(event.name),
        }
        if self.secret:
            digest = hmac.new(self.secret.encode(), line, hashlib.sha256).hexdigest()
            headers[SIGNATURE] = f"sha256={digest}"
        return headers


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
