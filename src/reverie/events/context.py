"""What this thread is about: the cycle and the dream that logs and events are marked with."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class About:
    """The ids of what is being done; None where nothing of the kind is."""

    cycle_id: str | None = None
    dream_id: str | None = None


_NOTHING = About()
_ABOUT: ContextVar[About] = ContextVar("reverie_about", default=_NOTHING)


def current() -> About:
    """What this thread is about now."""
    return _ABOUT.get()


@contextmanager
def about(*, cycle_id: str | None = None, dream_id: str | None = None) -> Iterator[None]:
    """Mark what is logged and published in this block; an id that is not given stays."""
    before = _ABOUT.get()
    now = before if cycle_id is None else About(cycle_id)
    token = _ABOUT.set(now if dream_id is None else replace(now, dream_id=dream_id))
    try:
        yield
    finally:
        _ABOUT.reset(token)
