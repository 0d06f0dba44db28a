"""Durations as people write them: `45`, `45s`, `2m`, `1.5h`, `1h30m`."""

from reverie.errors import UsageError
from reverie.model.setting import parse_seconds

_MOST_SECONDS = 86_400


def parse_duration(text: str, option: str) -> float:
    """Seconds; a number alone is seconds. `UsageError` names the option and what was given."""
    seconds = parse_seconds(text)
    if seconds is None or not 0 < seconds <= _MOST_SECONDS:
        expected = "a time such as 90s, 10m or 1h, up to 24h"
        raise UsageError(f"{option}: expected {expected}, not {text!r:.60}")
    return seconds
