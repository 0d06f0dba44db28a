"""A quality report as SARIF: the findings of all parts, in the one form that code hosts read."""

from collections import defaultdict
from typing import Any

from reverie.instruments.quality.survey import QualityReport
from reverie.model.finding import CheckedFile, Finding, NamedCheck, Severity
from reverie.model.quality import Part
from reverie.sandbox.safety.check import code_hash
from reverie.sandbox.safety.ruleset import RuleSet
from reverie.sandbox.safety.sarif import to_sarif

_TITLES = {
    Part.SYNTAX: "Python cannot read the file",
    Part.COMPLEXITY: "A function has many paths",
    Part.DOCSTRINGS: "Something public does not say what it is for",
    Part.DUPLICATION: "The same code stands elsewhere",
}


def quality_sarif(report: QualityReport, rules: RuleSet) -> dict[str, Any]:
    """All findings, with a description of every check that made one."""
    by_path: defaultdict[str, list[Finding]] = defaultdict(list)
    checks: dict[str, NamedCheck] = {}
    for each in report.findings:
        by_path[each.path].append(each.finding)
        if each.part is not Part.SECURITY:
            checks.setdefault(each.finding.rule, _describe(each.part, each.finding))
    files = [
        CheckedFile(
            path=file.path,
            passed=not _has_errors(by_path[file.path]),
            findings=tuple(by_path[file.path]),
            code_hash=code_hash(file.content),
        )
        for file in report.files
    ]
    return to_sarif(files, rules, sorted(checks.values(), key=lambda check: check.id))


def _describe(part: Part, finding: Finding) -> NamedCheck:
    tool, _, code = finding.rule.partition(":")
    title = _TITLES.get(part) or f"{tool} objects: {code}"
    return NamedCheck(finding.rule, title, part, finding.severity)


def _has_errors(findings: list[Finding]) -> bool:
    return any(each.severity in (Severity.ERROR, Severity.CRITICAL) for each in findings)
