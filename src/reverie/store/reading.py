"""Rows of a journal that somebody else may have written, read with suspicion."""

from collections.abc import Callable
from typing import TypeVar

from reverie.errors import StoreError
from reverie.store.journal import Journal
from reverie.store.text import one_line

T = TypeVar("T")

# What reading a row can raise when its file was made by somebody else.
_NOBODY_WROTE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def believed(journal: Journal, read: Callable[[], T]) -> T:
    """What `read` makes of rows; a `StoreError` where they hold what we never write."""
    try:
        return read()
    except _NOBODY_WROTE as error:
        reason = f"holds a row nobody wrote: {one_line(error)}"
        raise StoreError(f"the journal {journal.location} {reason}") from error
