"""Secrets that a change would publish. Found and named by kind; their text goes nowhere."""

import math
import re
from collections import Counter
from collections.abc import Iterator

from reverie.gates.alignment.reading import ReadFile
from reverie.model.alignment import AlignmentFlag
from reverie.model.finding import Severity

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY")),
    ("an AWS access key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("a GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})")),
    ("a GitLab token", re.compile(r"\bglpat-[\w-]{20,}")),
    ("a Slack token", re.compile(r"\bxox[abprs]-[\w-]{10,}")),
    ("a Stripe key", re.compile(r"\b[rs]k_live_[A-Za-z0-9]{16,}")),
    ("a Google API key", re.compile(r"\bAIza[\w-]{35}\b")),
    ("an API key", re.compile(r"\bsk-[A-Za-z0-9_-]{20,}")),
    ("a PyPI token", re.compile(r"\bpypi-[\w-]{50,}")),
    ("a JSON web token", re.compile(r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}")),
    ("a password in an address", re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s:/@'\"{}]+:[^\s/@'\"{}]{3,}@")),
)  # fmt: skip
_ASSIGNED = re.compile(
    r"""(?ix)\b[\w.]*(?:password|passwd|secret|api_?key|access_?key|auth_?token|private_?key|token)
        \w*["']?\s*(?::\s*[\w\[\]. |]+)?[=:]\s*["']([^"'\s]{8,})["']"""
)
_HARMLESS = re.compile(
    r"(?i)example|sample|dummy|changeme|placeholder|your[_-]|xxx|test|fake|\*\*\*|<|\{|\$|%\(|env"
)
_LEAST_BITS = 2.8
"""Of a character: words repeat letters, keys hardly do."""


def secrets(file: ReadFile) -> Iterator[AlignmentFlag]:
    """In the new lines of one file."""
    for number, line in file.added:
        kind = secret_kind(line)
        if kind is not None:
            said = f"{kind} would be published (not shown here): take it out, and make it void"
            yield file.flag("secret", Severity.CRITICAL, number, said)


def secret_kind(line: str) -> str | None:
    """What kind of secret stands on a line; None when none is seen."""
    for kind, pattern in _KINDS:
        found = pattern.search(line)
        if found and not _HARMLESS.search(found[0]):
            return kind
    assigned = _ASSIGNED.search(line)
    if assigned and not _HARMLESS.search(assigned[1]) and _bits(assigned[1]) >= _LEAST_BITS:
        return "a password or key"
    return None


def redacted(text: str) -> str:
    """Text of others with every secret blotted out, for logs and messages."""
    for _, pattern in _KINDS:
        text = pattern.sub("[redacted]", text)
    return _ASSIGNED.sub(lambda found: found[0].replace(found[1], "[redacted]"), text)


def _bits(text: str) -> float:
    """Entropy of a character, in bits."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())
