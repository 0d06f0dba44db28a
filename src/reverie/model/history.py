"""What the journal gives back: executions as they were recorded, and figures over them.

Texts that came from the code under test (`error_type`, `error_message`, `source`) are still
its claims: data to show with care, never to trust.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reverie.model.failure import FailurePattern
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome


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
