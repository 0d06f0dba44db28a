"""Moments and texts as every database takes them.

A moment is whole microseconds since 1970-01-01 UTC: one number sorts, compares and indexes alike
in SQLite and PostgreSQL, and loses nothing of a Python `datetime`. SQLite cannot take lone
surrogates and PostgreSQL cannot take NUL: both become U+FFFD, on both backends, so that a journal
reads the same wherever it lives.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

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


SOURCE_CHARACTERS = 1 << 20

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with every character that a database would refuse replaced by U+FFFD."""
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def one_line(text: object) -> str:
    """The text on one line, for an error message."""
    return " ".join(str(text).split())


def now_microseconds() -> int:
    """This moment as the journal writes it."""
    return to_microseconds(datetime.now(UTC))


def place_name(repository: Path) -> str:
    """A repository as the journal names it."""
    return storable(str(repository.resolve()))
