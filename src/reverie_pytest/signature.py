"""The same bug has the same signature in every run: the one definition, for plugin and journal.

A signature is a hash over error class, normalised message and innermost frame; whatever
differs between two runs of one bug (addresses, ids, times, temporary paths, long literals) is
replaced by a placeholder first.
"""

import hashlib
import re
from functools import lru_cache

ERROR_MESSAGE_CHARACTERS = 4000

_PLACEHOLDERS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"0x[0-9a-fA-F]+"), "<address>"),
    (
        re.compile(
            r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE
        ),
        "<id>",
    ),
    (re.compile(r"\b(?:[0-9a-f]{16,64}|\d{12,})\b", re.IGNORECASE), "<id>"),
    (
        re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"),
        "<time>",
    ),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:\.\d+)?\b"), "<time>"),
    (re.compile(r"\b[\d.e+]+ s of wall time\b"), "<time> of wall time"),
    (re.compile(r"/(?:tmp|var/tmp|dev/shm)/[^\s'\"<>:,)\]]*"), "<path>"),
    (re.compile(r"\b(pid|port)([ =:]+)\d+\b"), r"\1\2<n>"),
    (re.compile(r"\b(127\.0\.0\.1|localhost)('?[:,] ?)\d+\b"), r"\1\2<n>"),
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
