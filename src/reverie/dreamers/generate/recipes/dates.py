"""Dates and times, as ISO texts and as people write them."""

import re
from datetime import date, datetime, timedelta


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


def days_between(first: str, second: str) -> int:
    """The number of days from one ISO date to another.

    Also: date difference.

    >>> days_between("2024-01-01", "2024-01-31")
    30
    """
    return (date.fromisoformat(second) - date.fromisoformat(first)).days


def add_days(day: str, count: int) -> str:
    """The ISO date a number of days after another.

    Also: date plus days.

    >>> add_days("2024-02-28", 2)
    '2024-03-01'
    """
    return (date.fromisoformat(day) + timedelta(days=count)).isoformat()


def add_months(day: str, count: int) -> str:
    """The ISO date a number of months later; the day is limited to the month's last.

    Also: date plus months.

    >>> add_months("2024-01-31", 1)
    '2024-02-29'
    """
    start = date.fromisoformat(day)
    year, month = divmod(start.year * 12 + start.month - 1 + count, 12)
    following = date(year + month // 11, (month + 1) % 12 + 1, 1)
    last = (following - timedelta(days=1)).day
    return date(year, month + 1, min(start.day, last)).isoformat()


def weekday_name(day: str) -> str:
    """The English name of the weekday of an ISO date.

    Also: day of the week.

    >>> weekday_name("2024-01-01")
    'Monday'
    """
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return names[date.fromisoformat(day).weekday()]


def is_weekend(day: str) -> bool:
    """Whether an ISO date is a Saturday or a Sunday.

    Also: weekend check.

    >>> [is_weekend("2024-01-06"), is_weekend("2024-01-08")]
    [True, False]
    """
    return date.fromisoformat(day).weekday() >= 5


def working_days_between(first: str, second: str) -> int:
    """How many weekdays lie from one ISO date up to, not including, another.

    Also: business days.

    >>> working_days_between("2024-01-01", "2024-01-08")
    5
    """
    start, end = date.fromisoformat(first), date.fromisoformat(second)
    days = range((end - start).days)
    return sum((start + timedelta(days=each)).weekday() < 5 for each in days)


def age_on(birthday: str, day: str) -> int:
    """The age in full years on an ISO date.

    Also: years since birth.

    >>> [age_on("2000-05-10", "2024-05-09"), age_on("2000-05-10", "2024-05-10")]
    [23, 24]
    """
    born, now = date.fromisoformat(birthday), date.fromisoformat(day)
    return now.year - born.year - ((now.month, now.day) < (born.month, born.day))


def days_in_month(year: int, month: int) -> int:
    """How many days a month has.

    Also: length of a month.

    >>> [days_in_month(2024, 2), days_in_month(2023, 2), days_in_month(2023, 12)]
    [29, 28, 31]
    """
    following = date(year + month // 12, month % 12 + 1, 1)
    return (following - date(year, month, 1)).days


def day_of_year(day: str) -> int:
    """The number of an ISO date within its year.

    Also: ordinal day.

    >>> day_of_year("2024-03-01")
    61
    """
    return date.fromisoformat(day).timetuple().tm_yday


def quarter_of(day: str) -> int:
    """The quarter of the year of an ISO date.

    Also: fiscal quarter.

    >>> quarter_of("2024-05-01")
    2
    """
    return (date.fromisoformat(day).month - 1) // 3 + 1


def is_valid_date(text: str) -> bool:
    """Whether a text is a valid date of the form YYYY-MM-DD.

    Also: validate a date.

    >>> [is_valid_date("2024-02-29"), is_valid_date("2023-02-29"), is_valid_date("x")]
    [True, False, False]
    """
    try:
        datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        return False
    return len(text) == 10


def format_duration(seconds: int) -> str:
    """A number of seconds as hours, minutes and seconds: '1:02:03'.

    Also: HH:MM:SS, time format.

    >>> format_duration(3723)
    '1:02:03'
    """
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def padded_duration(seconds: int) -> str:
    """A number of seconds as hours, minutes and seconds with two digits each: '01:02:03'.

    Also: hh:mm:ss clock.

    >>> padded_duration(3723)
    '01:02:03'
    """
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest:02}"


def duration_seconds(text: str) -> int:
    """The seconds that a duration such as '1:02:03' or '2:30' stands for.

    Also: parse HH:MM:SS.

    >>> [duration_seconds("1:02:03"), duration_seconds("2:30")]
    [3723, 150]
    """
    total = 0
    for part in text.split(":"):
        total = total * 60 + int(part)
    return total


def minutes_of_day(clock: str) -> int:
    """The minutes since midnight of a time such as '13:05'.

    Also: parse HH:MM to minutes.

    >>> minutes_of_day("13:05")
    785
    """
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def clock_of_minutes(minutes: int) -> str:
    """The time such as '13:05' of a number of minutes since midnight.

    Also: minutes to HH:MM.

    >>> clock_of_minutes(785)
    '13:05'
    """
    return f"{minutes // 60:02}:{minutes % 60:02}"


def to_24_hours(clock: str) -> str:
    """A time such as '1:05 PM' in 24-hour form.

    Also: 12-hour to 24-hour, military time.

    >>> [to_24_hours("1:05 PM"), to_24_hours("12:00 AM")]
    ['13:05', '00:00']
    """
    return datetime.strptime(clock, "%I:%M %p").strftime("%H:%M")


def to_12_hours(clock: str) -> str:
    """A time such as '13:05' in 12-hour form.

    Also: 24-hour to 12-hour, AM PM.

    >>> to_12_hours("13:05")
    '1:05 PM'
    """
    return datetime.strptime(clock, "%H:%M").strftime("%I:%M %p").lstrip("0")


def distinct_years(dates: list[str]) -> list[int]:
    """The distinct years of ISO dates, ascending.

    Also: years of dates as integers.

    >>> distinct_years(["2021-05-01", "2020-01-01", "2021-01-01"])
    [2020, 2021]
    """
    return sorted({int(each[:4]) for each in dates})


def date_range(first: str, last: str) -> list[str]:
    """All ISO dates from one to another, both included.

    Also: list days between.

    >>> date_range("2024-02-28", "2024-03-01")
    ['2024-02-28', '2024-02-29', '2024-03-01']
    """
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    return [(start + timedelta(days=n)).isoformat() for n in range((end - start).days + 1)]


def reformat_date(text: str) -> str:
    """A date of the form DD/MM/YYYY as an ISO date.

    Also: convert european date, day first.

    >>> reformat_date("31/12/2023")
    '2023-12-31'
    """
    return datetime.strptime(text, "%d/%m/%Y").date().isoformat()
