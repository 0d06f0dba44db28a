"""The same bug has the same signature in every run.

A signature is a hash over error class, normalised message and innermost frame; whatever
differs between two runs of one bug (addresses, times, temporary paths, long literals) is
replaced by a placeholder first.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from reverie.model.execution import Execution
from reverie.model.outcome import ErrorCategory, TestOutcome

SNIPPET_CHARACTERS = 200
ERROR_TYPE_CHARACTERS = 200
ERROR_MESSAGE_CHARACTERS = 4000

_PLACEHOLDERS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"0x[0-9a-fA-F]+"), "<address>"),
    (
        re.compile(
            r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE
        ),
        "<id>",
    ),
    (re.compile(r"\b[0-9a-f]{16,64}\b", re.IGNORECASE), "<id>"),
    (
        re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"),
        "<time>",
    ),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:\.\d+)?\b"), "<time>"),
    (re.compile(r"/(?:tmp|var/tmp|dev/shm)/[^\s'\"<>:,)\]]*"), "<path>"),
    (re.compile(r"\bline \d+\b"), "line <n>"),
    (re.compile(r"'(?:[^'\\]|\\.){17,}'|\"(?:[^\"\\]|\\.){17,}\""), "<literal>"),
)


def normalise_message(message: str) -> str:
    """The message without what differs between two runs of the same bug."""
    text = message[:ERROR_MESSAGE_CHARACTERS]
    for pattern, placeholder in _PLACEHOLDERS:
        text = pattern.sub(placeholder, text)
    return " ".join(text.split())


@lru_cache(maxsize=512)
def failure_signature(error_class: str, message: str, location: str | None) -> str:
    """First 16 hex digits of the hash of class, normalised message and innermost frame."""
    parts = "|".join((error_class, normalise_message(message), location or ""))
    return hashlib.sha256(parts.encode("utf-8", "replace")).hexdigest()[:16]


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
