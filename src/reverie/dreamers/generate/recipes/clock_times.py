"""Days and times of the day as people write them."""

import re
from datetime import date, timedelta


def next_day(day: str) -> str:
    """The ISO date of the day after.

    Also: tomorrow, following day, day after the given date.

    >>> next_day("2024-02-28")
    '2024-02-29'
    """
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def previous_day(day: str) -> str:
    """The ISO date of the day before.

    Also: yesterday, day before the given date.

    >>> previous_day("2024-03-01")
    '2024-02-29'
    """
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def first_of_month(day: str) -> str:
    """The ISO date of the first day of its month.

    Also: beginning, start of the month.

    >>> first_of_month("2024-02-28")
    '2024-02-01'
    """
    return date.fromisoformat(day).replace(day=1).isoformat()


def last_of_month(day: str) -> str:
    """The ISO date of the last day of its month.

    Also: end of the month.

    >>> last_of_month("2024-02-05")
    '2024-02-29'
    """
    following = date.fromisoformat(day).replace(day=28) + timedelta(days=4)
    return (following - timedelta(days=following.day)).isoformat()


def next_monday(day: str) -> str:
    """The ISO date of the next Monday after a date.

    Also: following week start.

    >>> [next_monday("2024-01-01"), next_monday("2024-01-07")]
    ['2024-01-08', '2024-01-08']
    """
    start = date.fromisoformat(day)
    return (start + timedelta(days=7 - start.weekday())).isoformat()


def minutes_between_times(start: str, end: str) -> int:
    """The minutes from one time of the day to another, both HH:MM.

    Also: how many minutes lie between, duration.

    >>> minutes_between_times("08:15", "09:00")
    45
    """
    hours, minutes = (
        int(b) - int(a) for a, b in zip(start.split(":"), end.split(":"), strict=True)
    )
    return hours * 60 + minutes


def minutes_of_time_pair(times: list[str]) -> int:
    """The minutes from the first time of the day to the second, both HH:MM.

    Also: how many minutes lie between two times of a list.

    >>> minutes_of_time_pair(["08:15", "09:00"])
    45
    """
    start, end = (int(each[:2]) * 60 + int(each[3:]) for each in times)
    return end - start


def add_minutes_to_time(time: str, minutes: int) -> str:
    """The time of the day HH:MM some minutes later, past midnight if need be.

    Also: clock plus minutes, arrival time.

    >>> [add_minutes_to_time("23:50", 15), add_minutes_to_time("08:00", 90)]
    ['00:05', '09:30']
    """
    total = (int(time[:2]) * 60 + int(time[3:]) + minutes) % 1440
    return f"{total // 60:02d}:{total % 60:02d}"


def hours_and_minutes(seconds: int) -> str:
    """A number of seconds as hours and minutes like 1h 01m; the seconds are left off.

    Also: write duration.

    >>> hours_and_minutes(3661)
    '1h 01m'
    """
    return f"{seconds // 3600}h {seconds % 3600 // 60:02d}m"


def minutes_as_hours(minutes: int) -> str:
    """A number of minutes as hours and minutes like 1h 5m; no hours when there are none.

    Also: format minutes, duration.

    >>> [minutes_as_hours(65), minutes_as_hours(40)]
    ['1h 5m', '40m']
    """
    hours, rest = divmod(minutes, 60)
    return f"{hours}h {rest}m" if hours else f"{rest}m"


def hours_of_period(period: str) -> int:
    """The hours of a period written in days and hours like 3d4h, a day having 24 hours.

    Also: total hours, parse period.

    >>> [hours_of_period("3d4h"), hours_of_period("2h")]
    [76, 2]
    """
    parts = {unit: int(count) for count, unit in re.findall(r"(\d+)([dh])", period)}
    return parts.get("d", 0) * 24 + parts.get("h", 0)


def is_same_month(first: str, second: str) -> bool:
    """Whether two ISO dates are in the same month of the same year.

    Also: month equal.

    >>> [is_same_month("2024-01-02", "2024-01-30"), is_same_month("2023-01-02", "2024-01-02")]
    [True, False]
    """
    return first[:7] == second[:7]
