"""What one test of a dream came to."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reverie.model.execution import FileChange, Usage
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome

DreamId = int | str


@dataclass(frozen=True, slots=True)
class DreamTestResult:
    """One execution of a dream. `output`, `error`, `stdout` and `stderr` are its own claims."""

    dream_id: DreamId
    test_outcome: TestOutcome
    error_category: ErrorCategory | None
    output: Any
    error: str | None
    traceback: str | None
    stdout: str
    stderr: str
    output_truncated: bool
    """Whether stdout or stderr is not all that was printed."""
    execution_time_ms: float
    isolation: IsolationTier
    input_params: Mapping[str, Any]
    entry: str | None
    """The function that was called; None when the code ran as a script."""
    expected_output_type: str | None
    failure_signature: str | None
    """Key of the failure's pattern; None for a success."""
    suggested_fix: str | None
    usage: Usage
    changes: tuple[FileChange, ...]
    execution_id: str
    timestamp: datetime

    @property
    def success(self) -> bool:
        """Whether the outcome is `success`."""
        return self.test_outcome is TestOutcome.SUCCESS
