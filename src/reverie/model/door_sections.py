"""The settings of the doors that others come in by, as in `sections`."""

from dataclasses import dataclass

from reverie.model.setting import seconds, setting, text, whole


def _is_token(value: str) -> bool:
    return not value or (len(value) >= 16 and value.isascii() and value.isprintable())


@dataclass(frozen=True, slots=True)
class McpSection:
    """How coding agents reach Reverie."""

    host: str = setting(
        "127.0.0.1",
        text("a host name or address", lambda value: bool(value) and not set(value) & set(" /\0")),
        "Address that the HTTP server listens on.",
        outside_only=True,
    )
    port: int = setting(8377, whole(0, 65_535), "Port of the HTTP server; 0 takes a free one.")
    token: str = setting(
        "",
        text("at least 16 printable characters", _is_token),
        "What a client has to show over HTTP; absent, a new one is made and said at the start.",
        secret=True,
        outside_only=True,
    )
    calls: int = setting(2, whole(1, 64), "Calls that work at once; others wait for their turn.")
    call_seconds: float = setting(
        900.0, seconds(1, 86_400), "Time of one call, waiting not counted; then it is stopped."
    )
