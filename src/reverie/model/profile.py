"""Where a run spends its time, callable by callable."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HotCallable:
    """A function of the repository, and what it cost while something was profiled."""

    path: str
    qualname: str
    calls: int
    own_seconds: float
    """In its own lines."""
    total_seconds: float
    """With all that it called."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What was hot, hottest first; or why nothing was measured."""

    hot: tuple[HotCallable, ...]
    seconds: float
    """Of the whole run, as the profiler counted."""
    problem: str | None = None
