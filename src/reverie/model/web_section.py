"""The settings of the dashboard, as in `sections`."""

from dataclasses import dataclass

from reverie.model.permission import HIGHER
from reverie.model.setting import address, flag, setting, text, whole


def _is_token(value: str) -> bool:
    return not value or (len(value) >= 16 and value.isascii() and value.isprintable())


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
