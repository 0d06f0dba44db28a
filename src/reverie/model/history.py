"""Executions and failures as the journal gives them back, and as the pytest plugin writes them.

The same bug has the same signature in every run. What a signature is stands in
`reverie_pytest.signature`, for the journal and for the plugin, which cannot import this package.

Texts that came from the code under test (`error_type`, `error_message`, `source`) are still its
claims: data to show with care, never to trust.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reverie.model.execution import Execution
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome
from reverie_pytest.signature import ERROR_MESSAGE_CHARACTERS, failure_signature, normalise_message

__all__ = [
    "ERROR_MESSAGE_CHARACTERS",
    "ERROR_TYPE_CHARACTERS",
    "SNIPPET_CHARACTERS",
    "FailurePattern",
    "failure_signature",
    "normalise_message",
    "signature_of",
]

SNIPPET_CHARACTERS = 200
ERROR_TYPE_CHARACTERS = 200


def signature_of(execution: Execution) -> str | None:
    """The signature of an execution's failure; None when it succeeded."""
    if execution.outcome is TestOutcome.SUCCESS:
        return None
    error = execution.error
    if error is None:
        return failure_signature(execution.outcome.value, "", None)
    kind = (error.type_name or execution.outcome.value)[:ERROR_TYPE_CHARACTERS]
    return failure_signature(kind, error.message[:ERROR_MESSAGE_CHARACTERS], error.location)


@dataclass(frozen=True, slots=True)
class FailurePattern:
    """A failure that came back, as the journal counts it."""

    signature: str
    error_category: ErrorCategory
    error_message: str
    code_snippet: str
    frequency: int
    first_seen: datetime
    last_seen: datetime
    suggested_fix: str | None = None


@dataclass(frozen=True, slots=True)
class ExecutionRecord:
    """One execution as the journal keeps it."""

    id: str
    started_at: datetime
    code_hash: str
    target: str  # "expression", "call", "script", "module" or "pytest"
    entry: str | None  # function, module or script path; None where the target has no name
    outcome: TestOutcome
    error_category: ErrorCategory | None
    error_type: str | None
    error_message: str | None
    failure_signature: str | None
    duration_ms: float | None
    cpu_seconds: float | None
    peak_rss_bytes: int | None
    isolation: IsolationTier
    exit_code: int | None
    output_truncated: bool
    expected_output_type: str | None
    reverie_version: str


@dataclass(frozen=True, slots=True)
class ExecutionDetails:
    """One execution together with everything the journal knows around it."""

    record: ExecutionRecord
    policy: Mapping[str, Any]
    limits: Mapping[str, Any]
    source: str | None  # None: the target has no source, or sources are not kept
    source_truncated: bool
    pattern: FailurePattern | None


@dataclass(frozen=True, slots=True)
class ExecutionStatistics:
    """Counts and durations over a stretch of the journal.

    Percentiles are nearest-rank: always a duration that was really measured. Without
    executions there is no rate, and without durations no mean and no percentile.
    """

    executions: int
    by_outcome: Mapping[TestOutcome, int]
    by_category: Mapping[ErrorCategory, int]
    by_isolation: Mapping[IsolationTier, int]
    success_rate: float | None
    durations: int  # executions whose duration was measured: the sample of the next three
    mean_duration_ms: float | None
    p50_duration_ms: float | None
    p95_duration_ms: float | None
    failure_patterns: int


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A static safety rule that somebody added, or a built-in one that somebody overrode."""

    rule_id: str
    body: Mapping[str, Any]  # empty: only `enabled` is overridden
    enabled: bool
    updated_at: datetime


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
