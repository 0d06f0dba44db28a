"""The same bug has the same signature in every run.

What a signature is stands in `reverie_pytest.signature`, for the journal and for the pytest plugin,
which cannot import this package.
"""

from dataclasses import dataclass
from datetime import datetime

from reverie.model.execution import Execution
from reverie.model.outcome import ErrorCategory, TestOutcome
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
