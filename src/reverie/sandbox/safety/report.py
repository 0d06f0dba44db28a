"""The answer of a check as plain data and as SARIF 2.1.0.

The plain form is the JSON contract of `reverie check`; SARIF is for code scanning services and
editors.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from reverie import __version__
from reverie.model.repository.quality import CheckedFile, Finding, NamedCheck, Severity
from reverie.sandbox.safety.rule import Rule
from reverie.sandbox.safety.ruleset import RuleSet


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


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Severity.INFO: "note",
    Severity.WARNING: "warning",
    Severity.ERROR: "error",
    Severity.CRITICAL: "error",
}
_RANKS = {
    Severity.INFO: 10.0,
    Severity.WARNING: 40.0,
    Severity.ERROR: 70.0,
    Severity.CRITICAL: 95.0,
}


def to_sarif(
    files: Sequence[CheckedFile],
    rules: RuleSet | None = None,
    further: Sequence[NamedCheck] = (),
) -> dict[str, Any]:
    """One run with the rules that were in force, a result per finding and every file's hash.

    `further` are checks besides the safety rules whose findings are among those of the files.
    """
    known = rules if rules is not None else RuleSet.default()
    described = [*map(_describe, known), *map(_describe_check, further)]
    index = {rule["id"]: position for position, rule in enumerate(described)}
    driver = {
        "name": "reverie",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": described,
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "artifacts": [_artifact(file) for file in files],
        "results": list(_results(files, index)),
        "invocations": [{"executionSuccessful": True}],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _describe(rule: Rule) -> dict[str, Any]:
    text = " ".join(part for part in (rule.why, rule.fix) if part) or rule.title
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.id.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why or rule.title},
        "help": {"text": text},
        "defaultConfiguration": {
            "enabled": rule.enabled,
            "level": _LEVELS[rule.severity],
            "rank": _RANKS[rule.severity],
        },
        "properties": {
            "tags": ["security", rule.family],
            "tiers": [tier.value for tier in rule.tiers],
            "security-severity": f"{_RANKS[rule.severity] / 10:.1f}",
        },
    }


def _describe_check(check: NamedCheck) -> dict[str, Any]:
    return {
        "id": check.id,
        "shortDescription": {"text": check.title},
        "defaultConfiguration": {
            "level": _LEVELS[check.severity],
            "rank": _RANKS[check.severity],
        },
        "properties": {"tags": [check.family]},
    }


def _artifact(file: CheckedFile) -> dict[str, Any]:
    return {
        "location": {"uri": _uri(file.path)},
        "hashes": {"sha-256": file.code_hash},
        "sourceLanguage": "python",
    }


def _results(files: Sequence[CheckedFile], index: dict[str, int]) -> Iterable[dict[str, Any]]:
    for number, file in enumerate(files):
        seen: Counter[str] = Counter()
        for finding in file.findings:
            key = f"{finding.rule}|{file.path}|{finding.message}"
            seen[key] += 1
            yield _result(finding, file, number, index, f"{key}|{seen[key]}")


def _result(
    finding: Finding, file: CheckedFile, number: int, index: dict[str, int], key: str
) -> dict[str, Any]:
    place = {
        "artifactLocation": {"uri": _uri(file.path), "index": number},
        "region": {"startLine": finding.line, "startColumn": finding.column},
    }
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"reverieFinding/v1": _fingerprint(key)},
    }
    if finding.rule in index:
        result["ruleIndex"] = index[finding.rule]
    return result


def _fingerprint(key: str) -> str:
    """The same finding keeps its fingerprint when lines above it come and go."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _uri(path: str) -> str:
    posix = PurePath(path).as_posix()
    quoted = quote(posix.encode("utf-8", "surrogatepass"), safe="/~._-")
    return f"file://{quoted}" if posix.startswith("/") else quoted
