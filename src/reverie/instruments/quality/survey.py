"""All parts of the quality of some files, measured and graded; also as SARIF.

SARIF is the one form that code hosts read: it holds the findings of all parts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.gates.quality import grade_quality
from reverie.index.duplication import find_duplicates
from reverie.instruments.quality import figures
from reverie.instruments.quality.figures import JudgedFile
from reverie.instruments.quality.tools import Bench, ToolReport, run_mypy, run_ruff
from reverie.model.repository.quality import (
    CheckedFile,
    Duplicate,
    Finding,
    Measure,
    NamedCheck,
    Part,
    PlacedFinding,
    QualityVerdict,
    Severity,
)
from reverie.sandbox.safety.check import check_source, code_hash
from reverie.sandbox.safety.report import to_sarif
from reverie.sandbox.safety.ruleset import RuleSet

LINT_UNIT = "findings of ruff per 1,000 lines"
TYPES_UNIT = "errors of mypy per 1,000 lines"
SECURITY_UNIT = "findings of the safety rules per 1,000 lines"
LONG_PARTS = (Part.LINT, Part.TYPES, Part.SECURITY, Part.DUPLICATION)
"""Those that take long enough to be told of while they are measured."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class QualityReport:
    """The verdict, what it rests on, and what could not be known."""

    verdict: QualityVerdict
    files: tuple[JudgedFile, ...]
    findings: tuple[PlacedFinding, ...]
    duplicates: tuple[Duplicate, ...]
    notes: tuple[str, ...]

    @property
    def lines(self) -> int:
        """How many lines were judged."""
        return sum(file.size for file in self.files)


def survey(
    files: Sequence[JudgedFile],
    beside: Mapping[str, bytes],
    bench: Bench,
    rules: RuleSet,
    on_part: Progress = lambda part: None,
) -> QualityReport:
    """Measure every part. `beside` are files that the judged ones may have been copied from."""
    parts = _Parts(files)
    parts.add(*figures.measure_syntax(files))
    on_part(Part.LINT)
    parts.add_tool(Part.LINT, LINT_UNIT, run_ruff(bench, [file.absolute for file in files]))
    on_part(Part.TYPES)
    parts.add_tool(Part.TYPES, TYPES_UNIT, _check_types(files, bench))
    parts.add(*figures.measure_complexity(files, bench.section.complexity_limit))
    parts.add(*figures.measure_docstrings(files))
    on_part(Part.SECURITY)
    security = [each for file in files for each in _check_safety(file, rules)]
    parts.add(figures.measure_rate(Part.SECURITY, SECURITY_UNIT, security, parts.lines), security)
    on_part(Part.DUPLICATION)
    duplicates = _duplicates(files, beside, bench.section.duplicate_tokens)
    parts.add(*figures.measure_duplication(files, duplicates))
    return QualityReport(
        verdict=grade_quality(parts.measures, bench.section),
        files=tuple(files),
        findings=tuple(sorted(parts.findings, key=_order)),
        duplicates=duplicates,
        notes=tuple(parts.notes),
    )


class _Parts:
    """Gathers what is measured, part by part."""

    def __init__(self, files: Sequence[JudgedFile]) -> None:
        self.lines = sum(file.size for file in files)
        self.measures: list[Measure] = []
        self.findings: list[PlacedFinding] = []
        self.notes: list[str] = []
        self._shown = {str(file.absolute): file for file in files}

    def add(self, measure: Measure, findings: Iterable[PlacedFinding]) -> None:
        self.measures.append(measure)
        self.findings.extend(findings)

    def add_tool(self, part: Part, unit: str, report: ToolReport) -> None:
        self.notes.extend(report.notes)
        if report.absent is not None:
            self.add(Measure(part, unit, None, absent=report.absent), ())
            return
        own = list(self._own(report.findings))
        self.add(figures.measure_rate(part, unit, own, self.lines), own)

    def _own(self, findings: Iterable[PlacedFinding]) -> Iterable[PlacedFinding]:
        """Those in lines that are judged, under the name that the file is shown by."""
        for each in findings:
            file = self._shown.get(each.path)
            if file is not None and file.judges(each.finding.line):
                yield PlacedFinding(each.part, file.path, each.finding)


def _check_types(files: Sequence[JudgedFile], bench: Bench) -> ToolReport:
    readable = [file for file in files if file.facts.error is None]
    if not any(figures.is_annotated(file) for file in readable):
        return ToolReport(absent="nothing is annotated, so there is nothing to check")
    return run_mypy(bench, [file.absolute for file in readable])


def _check_safety(file: JudgedFile, rules: RuleSet) -> Iterable[PlacedFinding]:
    """What counts at the file's tier; the rest is advice, and `reverie check` gives it."""
    failing = {rule.id for rule in rules if rule.fails_at(file.tier)}
    for finding in check_source(file.content, file.path, file.tier, rules).findings:
        if finding.rule in failing and file.judges(finding.line):
            yield PlacedFinding(Part.SECURITY, file.path, finding)


def _duplicates(
    files: Sequence[JudgedFile], beside: Mapping[str, bytes], min_tokens: int
) -> tuple[Duplicate, ...]:
    """Repetitions in which at least one side is judged."""
    by_path = {file.path: file for file in files}
    sources = {**{file.path: file.content for file in files}, **beside}

    def is_judged(found: Duplicate) -> bool:
        return any(
            block.path in by_path and by_path[block.path].judges(block.first_line, block.last_line)
            for block in (found.first, found.second)
        )

    return tuple(each for each in find_duplicates(sources, min_tokens) if is_judged(each))


def _order(placed: PlacedFinding) -> tuple[str, int, int, str]:
    return placed.path, placed.finding.line, placed.finding.column, placed.finding.rule


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
