"""Files that a tool wrote about the code: they name every module, and use none."""

import re
from posixpath import splitext

_SHOWN = 4_096
_ROOT = re.compile(
    r"<(?:!DOCTYPE\s+)?(?:coverage|testsuites?|checkstyle|pmd(?:-cpd)?|cpd|cobertura|jacoco|findbugs"
    r"|bugcollection|flake8|results|report|file_metrics)\b",
    re.IGNORECASE,
)
_KEYS = re.compile(
    r'"(?:executed_lines|missing_lines|physicalLocation|artifactLocation|results_summary|hashed_secret'
    r'|line_number|generated_at|sarif|\$schema"\s*:\s*"[^"]*sarif|generalDiagnostics'
    r"|message-id|percent_covered)"
)
_COVERAGE_LINES = re.compile(r"(?m)^(?:SF:|DA:\d)")


def is_report(path: str, text: str) -> bool:
    """Whether a file is a report of coverage, of tests, or of findings."""
    suffix = splitext(path)[1].lower()
    start = text[:_SHOWN]
    if suffix == ".xml":
        return bool(_ROOT.search(start))
    if suffix in (".json", ".sarif", ".baseline"):
        return bool(_KEYS.search(start))
    return suffix in (".info", ".lcov") and bool(_COVERAGE_LINES.search(start))
