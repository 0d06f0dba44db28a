"""Moments as the journal stores them: whole microseconds since 1970-01-01 UTC.

One number sorts, compares and indexes alike in SQLite and PostgreSQL, and loses nothing of
a Python `datetime`.
"""

from datetime import UTC, datetime, timedelta

from reverie.errors import UsageError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(moment: datetime) -> int:
    """The stored form. A moment without a time zone is refused: nobody knows when it was."""
    if moment.tzinfo is None:
        raise UsageError(f"a time without a time zone cannot be journaled: {moment.isoformat()}")
    return (moment - _EPOCH) // _MICROSECOND


def from_microseconds(microseconds: int) -> datetime:
    """The moment, in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)
