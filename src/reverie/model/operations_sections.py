"""The settings of operations, as in `sections`: every field with its doc line and its bounds."""

from dataclasses import dataclass

from reverie.model.permission import LOWER
from reverie.model.published import EventName
from reverie.model.setting import address, flag, seconds, setting, text, whole, words


def _is_web_url(value: str) -> bool:
    start = next((each for each in ("http://", "https://") if value.startswith(each)), None)
    return start is not None and value[len(start) :].isprintable() and " " not in value


@dataclass(frozen=True, slots=True)
class MetricsSection:
    """Where Prometheus finds the figures."""

    host: str = setting(
        "127.0.0.1",
        address(),
        "Address that `reverie metrics --serve` listens on; everybody there can read the figures.",
    )
    port: int = setting(8001, whole(0, 65_535), "Its port; 0 takes a free one.")
    synergy_port: int = setting(8003, whole(0, 65_535), "Port of `reverie synergy-exporter`.")


@dataclass(frozen=True, slots=True)
class ClusterSection:
    """Where a cluster of this machine's own listens."""

    host: str = setting(
        "127.0.0.1",
        address(),
        "Address of `reverie cluster start`; whoever reaches it can run code on the workers.",
    )
    port: int = setting(8786, whole(0, 65_535), "Port of its scheduler; 0 takes a free one.")


@dataclass(frozen=True, slots=True)
class EventsSection:
    """Who is told what happens. A repository cannot have its events sent anywhere."""

    enabled: bool = setting(True, flag(), "Whether events are kept in `events.jsonl` at all.")
    max_mb: int = setting(
        16,
        whole(1, 1024),
        "Size in MiB from which a new file of events is begun; one is kept.",
        repository=LOWER,
    )
    webhook: str | None = setting(
        None,
        text("an http:// or https:// URL", _is_web_url),
        "URL that every event is posted to.",
        secret=True,
    )
    webhook_secret: str | None = setting(
        None,
        text("a text that is not empty", bool),
        "Key of the signature that posted events carry.",
        secret=True,
    )
    kafka_servers: str | None = setting(
        None,
        text("host:port, several with commas", lambda value: ":" in value and " " not in value),
        "Brokers that events are produced to; needs the extra `kafka`.",
    )
    kafka_topic: str = setting(
        "reverie", text("a name", lambda value: value.replace("-", "").isidentifier()), "Its topic."
    )
    only: tuple[str, ...] = setting(
        (),
        words("a list of names of events", lambda value: value in list(EventName)),
        "Events that are sent to webhook and Kafka; empty: all. The file has all.",
    )
    timeout_seconds: float = setting(10.0, seconds(0.1, 300), "How long one delivery may take.")
    close_seconds: float = setting(
        3.0, seconds(0, 300), "How long a command waits at its end for what is undelivered."
    )
