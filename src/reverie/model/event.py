"""Failures of test runs, as the pytest plugin writes them and as they come together.

Texts are claims of the tests that failed: data to show with care, never to trust.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class FailureEvent:
    """One phase of one test that failed."""

    seen_at: datetime
    test_id: str
    error_class: str
    message: str
    signature: str
    repro_cmd: str | None
    phase: str | None  # "setup", "call", "teardown" or "collect"
    run: str | None


@dataclass(frozen=True, slots=True)
class TestRun:
    """A run that ended, and which tests passed in it that had failed in an earlier one."""

    __test__ = False

    run: str
    ended_at: datetime
    passed_again: frozenset[str]


@dataclass(frozen=True, slots=True)
class FailureCluster:
    """All events of one signature."""

    signature: str
    count: int
    error_class: str  # class, message and command are those of the last event
    message: str
    phases: tuple[str, ...]
    tests: tuple[str, ...]
    first_seen: datetime
    last_seen: datetime
    runs_failed: int
    runs_passed: int  # with one of its tests, and without this failure
    flake_score: float | None
    repro_cmd: str | None
