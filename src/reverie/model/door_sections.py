"""The settings of the doors that others come in by, as in `sections`."""

import re
from dataclasses import dataclass

from reverie.model.permission import ANY_VALUE, LOWER, lower_than
from reverie.model.setting import address, seconds, setting, text, whole

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
