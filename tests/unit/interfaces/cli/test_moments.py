from datetime import UTC, datetime, timedelta

import pytest

from reverie.errors import UsageError
from reverie.interfaces.cli.arguments import parse_since, shown_moment

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("30s", timedelta(seconds=30)),
        ("5 m", timedelta(minutes=5)),
        ("2h", timedelta(hours=2)),
        ("3d", timedelta(days=3)),
        ("1w", timedelta(weeks=1)),
    ],
)
def test_ago(text: str, ago: timedelta) -> None:
    assert parse_since(text, NOW) == NOW - ago


def test_dates_and_times() -> None:
    assert parse_since("2025-05-01T10:00:00+02:00", NOW) == datetime(2025, 5, 1, 8, tzinfo=UTC)
    assert parse_since("2025-05-01", NOW) == datetime(2025, 5, 1).astimezone()


@pytest.mark.parametrize("text", ["", "soon", "3x", "-3d", "9999999999d", "2025-13-01"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--since takes"):
        parse_since(text, NOW)


def test_a_time_before_all_time_is_refused() -> None:
    with pytest.raises(UsageError, match="--since"):
        parse_since("999999w", NOW)


def test_shown_in_utc() -> None:
    assert shown_moment(datetime(2025, 5, 1, tzinfo=UTC)) == "2025-05-01 00:00:00"
