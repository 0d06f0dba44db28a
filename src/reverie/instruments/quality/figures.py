"""The figures that Reverie counts itself: from the index, the safety rules and the tokens.

`JudgedFile` is a file that is judged, and which of its lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

from reverie.index.duplication import duplicated_lines
from reverie.index.outlook import holds_tests
from reverie.index.reading.facts import FileFacts
from reverie.index.reading.file import read_bytes
from reverie.model.outcome import TrustTier
from reverie.model.repository.code import Class, Function
from reverie.model.repository.quality import (
    Duplicate,
    Finding,
    Measure,
    Part,
    PlacedFinding,
    Severity,
)

MAX_BYTES = 4 << 20
"""A larger file is data, or was generated."""


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """One file, read once. `changed` is None when all of it is judged."""

    path: str
    """As it is shown: relative to the repository where it lies in it."""
    absolute: Path
    content: bytes
    tier: TrustTier
    facts: FileFacts
    changed: frozenset[int] | None = None

    @classmethod
    def read(
        cls, path: str, absolute: Path, tier: TrustTier, changed: frozenset[int] | None = None
    ) -> "JudgedFile":
        """A file from the disk, understood but never run."""
        content = absolute.read_bytes()
        return cls(path, absolute, content, tier, read_bytes(content), changed)

    @property
    def is_test(self) -> bool:
        """Whether its name says that it holds tests."""
        return holds_tests(PurePosixPath(self.path))

    @property
    def size(self) -> int:
        """How many lines are judged."""
        return self.facts.loc if self.changed is None else len(self.changed)

    @property
    def functions(self) -> list[Function]:
        """The functions and methods that are judged."""
        methods = [each for owner in self.facts.classes for each in owner.methods]
        every = [*self.facts.functions, *methods]
        return [each for each in every if self.judges(each.line, each.end_line)]

    def judges(self, first_line: int, last_line: int | None = None) -> bool:
        """Whether any of these lines is one of those that are judged."""
        if self.changed is None:
            return True
        return not self.changed.isdisjoint(range(first_line, (last_line or first_line) + 1))


MIN_LINES = 100
"""A rate is per 1,000 lines, but never of fewer than these: one finding in ten lines is one."""
_NO_DOCSTRING_DUE = ("overload", "typing.overload", "override", "typing.override")


def measure_syntax(files: Sequence[JudgedFile]) -> tuple[Measure, list[PlacedFinding]]:
    """How many files Python cannot read."""
    findings = [
        PlacedFinding(
            Part.SYNTAX, file.path, Finding("syntax", Severity.CRITICAL, 1, 1, file.facts.error)
        )
        for file in files
        if file.facts.error is not None
    ]
    count = len(findings)
    return Measure(Part.SYNTAX, "files that do not parse", count, count, len(files)), findings


def measure_rate(part: Part, unit: str, findings: Sequence[PlacedFinding], lines: int) -> Measure:
    """Findings per 1,000 lines."""
    if not lines:
        return Measure(part, unit, None, absent="no lines to judge")
    figure = len(findings) * 1000 / max(lines, MIN_LINES)
    has_critical = any(each.finding.severity is Severity.CRITICAL for each in findings)
    return Measure(part, unit, figure, len(findings), lines, has_critical=has_critical)


def measure_complexity(
    files: Sequence[JudgedFile], limit: int
) -> tuple[Measure, list[PlacedFinding]]:
    """The share of the functions' lines that stand in functions more complex than the limit."""
    unit = f"share of functions' lines in functions of a complexity above {limit}"
    findings = []
    lines = complex_lines = 0
    for file in files:
        for each in file.functions:
            lines += each.loc
            if each.complexity > limit:
                complex_lines += each.loc
                message = f"{each.qualname} has a cyclomatic complexity of {each.complexity}"
                finding = Finding("complexity", Severity.WARNING, each.line, 1, message)
                findings.append(PlacedFinding(Part.COMPLEXITY, file.path, finding))
    if not lines:
        return Measure(Part.COMPLEXITY, unit, None, absent="no functions"), []
    share = complex_lines / lines
    return Measure(Part.COMPLEXITY, unit, share, complex_lines, lines), findings


def measure_docstrings(files: Sequence[JudgedFile]) -> tuple[Measure, list[PlacedFinding]]:
    """The share of what is public outside of tests that says what it is for."""
    unit = "share of public modules, classes and functions with a docstring"
    due = 0
    findings = []
    for file in files:
        for name, line, docstring in () if file.is_test else _owners(file):
            due += 1
            if not docstring:
                finding = Finding("docstring", Severity.INFO, line, 1, f"{name} has no docstring")
                findings.append(PlacedFinding(Part.DOCSTRINGS, file.path, finding))
    if not due:
        return Measure(Part.DOCSTRINGS, unit, None, absent="nothing public"), []
    count = due - len(findings)
    return Measure(Part.DOCSTRINGS, unit, count / due, count, due), findings


def measure_duplication(
    files: Sequence[JudgedFile], duplicates: Sequence[Duplicate]
) -> tuple[Measure, list[PlacedFinding]]:
    """The share of the judged lines that also stand elsewhere."""
    unit = "share of lines that are repeated elsewhere"
    lines = sum(file.size for file in files)
    if not lines:
        return Measure(Part.DUPLICATION, unit, None, absent="no lines to judge"), []
    repeated = duplicated_lines(duplicates)
    count = sum(sum(file.judges(line) for line in repeated.get(file.path, ())) for file in files)
    count = min(count, lines)  # blank lines within a repetition are counted, those of a file not
    measure = Measure(Part.DUPLICATION, unit, count / lines, count, lines)
    return measure, list(_duplicate_findings(files, duplicates))


def is_annotated(file: JudgedFile) -> bool:
    """Whether a type checker has anything to hold the code against."""
    return any(
        each.returns is not None or any(one.annotation is not None for one in each.parameters)
        for each in file.functions
    )


def _duplicate_findings(
    files: Sequence[JudgedFile], duplicates: Sequence[Duplicate]
) -> Iterator[PlacedFinding]:
    by_path = {file.path: file for file in files}
    for each in duplicates:
        for here, there in ((each.first, each.second), (each.second, each.first)):
            file = by_path.get(here.path)
            if file is not None and file.judges(here.first_line, here.last_line):
                place = f"{there.path}:{there.first_line}-{there.last_line}"
                message = f"{each.tokens} tokens up to line {here.last_line} also stand in {place}"
                finding = Finding("duplicate", Severity.WARNING, here.first_line, 1, message)
                yield PlacedFinding(Part.DUPLICATION, here.path, finding)


def _owners(file: JudgedFile) -> Iterator[tuple[str, int, str | None]]:
    """Everything public in a file that is judged: name, line and docstring."""
    facts = file.facts
    stem = PurePath(file.path).stem
    is_public = not stem.startswith("_") or stem == "__init__"
    if facts.error is None and facts.loc and is_public and file.judges(1):
        yield f"module {stem}", 1, facts.docstring
    methods = [method for owner in facts.classes for method in owner.methods]
    owners: tuple[Function | Class, ...] = (*facts.functions, *facts.classes, *methods)
    for each in owners:
        if _is_public(each) and file.judges(each.line, each.end_line):
            yield each.qualname, each.line, each.docstring


def _is_public(each: Function | Class) -> bool:
    """By its name, and not inside a function, where nobody can reach it; no test, whose name
    says it all."""
    parts = each.qualname.split(".")
    if "<locals>" in parts or any(part.startswith(("_", "test_")) for part in parts):
        return False
    return not any(
        name in _NO_DOCSTRING_DUE or name.endswith((".setter", ".deleter"))
        for name in each.decorators
    )
