"""The answer of a check as plain data: the JSON contract of `reverie check`."""

from collections.abc import Sequence
from typing import Any

from reverie.model.finding import CheckedFile, Finding


def render_json(files: Sequence[CheckedFile]) -> dict[str, Any]:
    """One JSON document for all files checked. No file at all passes."""
    return {
        "files": [_render_file(file) for file in files],
        "passed": all(file.passed for file in files),
    }


def _render_file(file: CheckedFile) -> dict[str, Any]:
    return {
        "path": file.path,
        "passed": file.passed,
        "code_hash": file.code_hash,
        "findings": [_render_finding(finding) for finding in file.findings],
    }


def _render_finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
    }
