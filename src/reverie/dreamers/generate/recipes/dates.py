"""Dates and times as ISO texts."""

from datetime import date, datetime, timedelta


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
