"""Durations as people write them: `45`, `45s`, `2m`, `1.5h`."""

import re

from reverie.errors import UsageError

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)?")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_duration(text: str, option: str) -> float:
    """Seconds; a number alone is seconds. `UsageError` names the option and what was given."""
    found = _DURATION.fullmatch(text.strip())
    seconds = float(found[1]) * _SECONDS[found[2] or "s"] if found else 0.0
    if not 0 < seconds <= 86_400:
        raise UsageError(f"{option}: expected a duration such as 30s, 2m or 1h, not {text!r:.60}")
    return seconds
