"""Moments as people write and read them."""

import re
from datetime import UTC, datetime, timedelta

from reverie.errors import UsageError

_AGO = re.compile(r"(\d{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_since(text: str, now: datetime) -> datetime:
    """`30m`, `2h`, `3d` ago, or an ISO date or time (without a zone: the local one)."""
    ago = _AGO.fullmatch(text.strip())
    try:
        if ago is not None:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        moment = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise UsageError(
            f"--since takes 30m, 2h, 3d or a date like 2024-05-01, not {text!r}"
        ) from None
    return moment if moment.tzinfo is not None else moment.astimezone()


def shown_moment(moment: datetime) -> str:
    """A moment for a table: UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
