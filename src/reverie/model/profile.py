"""Where a run spends its time, callable by callable."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class ProfileSource(StrEnum):
    """What is run to see where the time goes."""

    TESTS = "tests"
    BENCHMARKS = "benchmarks"
    WORKFLOWS = "workflows"


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


def merged_profile(profiles: Sequence[Profile]) -> Profile:
    """Several profiles as one: costs are added up, and all problems are told."""
    found: dict[tuple[str, str], HotCallable] = {}
    for each in (hot for profile in profiles for hot in profile.hot):
        key = each.path, each.qualname
        before = found.get(key, HotCallable(*key, 0, 0.0, 0.0))
        found[key] = HotCallable(
            *key,
            before.calls + each.calls,
            before.own_seconds + each.own_seconds,
            before.total_seconds + each.total_seconds,
        )
    hot = sorted(found.values(), key=lambda e: (-e.own_seconds, e.path, e.qualname))
    problems = [each.problem for each in profiles if each.problem is not None]
    seconds = sum(each.seconds for each in profiles)
    return Profile(tuple(hot), seconds, "; ".join(problems) or None)
