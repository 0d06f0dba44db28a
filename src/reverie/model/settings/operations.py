"""The settings of operations: events, metrics, the cluster, and the servers that others connect to.

As in `sections`: a frozen dataclass each, every field with its doc line and its bounds.
"""

import re
from dataclasses import dataclass

from reverie.model.events import EventName
from reverie.model.settings.setting import (
    ANY_VALUE,
    HIGHER,
    LOWER,
    address,
    flag,
    lower_than,
    seconds,
    setting,
    text,
    whole,
    words,
)


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


_LONGEST_NIGHT_SECONDS = 4 * 3600
_TIME = re.compile(r"([01]?[0-9]|2[0-3]):[0-5][0-9]")


def _is_token(value: str) -> bool:
    return not value or (len(value) >= 16 and value.isascii() and value.isprintable())


@dataclass(frozen=True, slots=True)
class McpSection:
    """How coding agents reach Reverie."""

    host: str = setting(
        "127.0.0.1",
        address(),
        "Address that the HTTP server listens on.",
    )
    port: int = setting(8377, whole(0, 65_535), "Port of the HTTP server; 0 takes a free one.")
    token: str = setting(
        "",
        text("at least 16 printable characters", _is_token),
        "What a client has to show over HTTP; absent, a new one is made and said at the start.",
        secret=True,
    )
    calls: int = setting(
        2, whole(1, 64), "Calls that work at once; others wait for their turn.", repository=LOWER
    )
    call_seconds: float = setting(
        900.0,
        seconds(1, 86_400),
        "Time of one call, waiting not counted; then it is stopped.",
        repository=LOWER,
    )


@dataclass(frozen=True, slots=True)
class NightlySection:
    """When a repository is worked on by night, and how long."""

    time: str = setting(
        "02:00",
        text("a time of the day like 02:00", lambda value: bool(_TIME.fullmatch(value))),
        "When the night begins, on the machine's own clock.",
        repository=ANY_VALUE,
    )
    budget_seconds: float = setting(
        3600.0,
        seconds(1, 86_400),
        "Time of one night's cycle; a trial that has begun is finished.",
        repository=lower_than(_LONGEST_NIGHT_SECONDS),
    )
    keep_logs: int = setting(7, whole(1, 1000), "Old logs that are kept.", repository=LOWER)
    log_bytes: int = setting(
        1_000_000,
        whole(1000, 1 << 30),
        "Bytes after which a log becomes an old one.",
        repository=LOWER,
    )


@dataclass(frozen=True, slots=True)
class WebSection:
    """How people look at Reverie in a browser."""

    host: str = setting(
        "127.0.0.1",
        address(),
        "Address that the dashboard listens on.",
    )
    port: int = setting(8378, whole(0, 65_535), "Port of the dashboard; 0 takes a free one.")
    token: str = setting(
        "",
        text("at least 16 printable characters", _is_token),
        "What a browser has to show once; absent, a new one is made and said at the start.",
        secret=True,
    )
    read_only: bool = setting(
        False, flag(), "Whether nothing can be decided in the dashboard.", repository=HIGHER
    )
