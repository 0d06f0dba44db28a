"""Opening hours as people write them: `Mon-Fri 9:00-18:00, Sat 10:00-13:00`."""

import re

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_RULE = re.compile(r"(\w{3})(?:-(\w{3}))? (\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})")


def parse_hours(text: str) -> dict[str, tuple[int, int]]:
    """Minutes from midnight of opening and closing, for each day that is open."""
    hours: dict[str, tuple[int, int]] = {}
    for part in text.split(","):
        found = _RULE.fullmatch(part.strip())
        if found is None:
            raise ValueError(f"not opening hours: {part.strip()!r}")
        opens, closes = _minutes(found[3], found[4]), _minutes(found[5], found[6])
        if opens >= closes:
            raise ValueError(f"closes before it opens: {part.strip()!r}")
        for day in _days(found[1], found[2]):
            hours[day] = (opens, closes)
    return hours


def is_open(hours: dict[str, tuple[int, int]], day: str, minute: int) -> bool:
    """Whether the library is open at a minute of a day."""
    opens, closes = hours.get(day, (0, 0))
    return opens <= minute < closes


def next_open_day(hours: dict[str, tuple[int, int]], day: str) -> str | None:
    """The first day from `day` on that is open; None when none is."""
    start = DAYS.index(day)
    for offset in range(len(DAYS)):
        candidate = DAYS[(start + offset) % len(DAYS)]
        if candidate in hours:
            return candidate
    return None


def weekly_minutes(hours: dict[str, tuple[int, int]]) -> int:
    """How long the library is open in a week."""
    return sum(closes - opens for opens, closes in hours.values())


def _days(first: str, last: str | None) -> tuple[str, ...]:
    for day in (first, last or first):
        if day not in DAYS:
            raise ValueError(f"not a day: {day!r}")
    start, end = DAYS.index(first), DAYS.index(last or first)
    if start <= end:
        return DAYS[start : end + 1]
    return DAYS[start:] + DAYS[: end + 1]


def _minutes(hour: str, minute: str) -> int:
    if int(hour) > 24 or int(minute) > 59:
        raise ValueError(f"not a time: {hour}:{minute}")
    return int(hour) * 60 + int(minute)
