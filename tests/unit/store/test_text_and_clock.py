from datetime import UTC, datetime, timedelta, timezone

import pytest

from reverie.errors import UsageError
from reverie.store.scalars import from_microseconds, one_line, storable, to_microseconds


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("", ""),
        ("plain", "plain"),
        ("é 😀", "é 😀"),
        ("a\x00b", "a\ufffdb"),
        ("é\x00", "é\ufffd"),
        ("\ud800x\udfff", "\ufffdx\ufffd"),
        ("\x01\x7f\u2028", "\x01\x7f\u2028"),
    ],
)
def test_only_what_a_database_refuses_is_replaced(given: str, stored: str) -> None:
    assert storable(given) == stored
    stored.encode("utf-8")


def test_an_error_message_is_one_line() -> None:
    assert one_line("a\n  b\tc\r\n") == "a b c"


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2025, 6, 1, 12, 30, 0, 1, tzinfo=UTC),
        datetime(2025, 6, 1, 12, 30, 0, 999_999, tzinfo=timezone(timedelta(hours=-7))),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
)
def test_a_moment_comes_back_to_the_microsecond(moment: datetime) -> None:
    assert from_microseconds(to_microseconds(moment)) == moment


def test_a_moment_without_a_time_zone_is_refused() -> None:
    with pytest.raises(UsageError, match="2025-01-01"):
        to_microseconds(datetime(2025, 1, 1))
