from pathlib import Path

from reverie.index.reading.file import read_bytes
from reverie.instruments.quality import figures
from reverie.instruments.quality.figures import JudgedFile
from reverie.model.outcome import TrustTier
from reverie.model.repository.quality import (
    Block,
    Duplicate,
    Finding,
    Part,
    PlacedFinding,
    Severity,
)


def judged(text: str, path: str = "pkg/m.py", changed: frozenset[int] | None = None) -> JudgedFile:
    content = text.encode()
    return JudgedFile(
        path, Path("/") / path, content, TrustTier.TRUSTED, read_bytes(content), changed
    )


def placed(line: int = 1, severity: Severity = Severity.WARNING) -> PlacedFinding:
    return PlacedFinding(Part.LINT, "pkg/m.py", Finding("rule", severity, line, 1, ""))


def test_a_rate_is_per_thousand_lines_but_of_at_least_a_hundred() -> None:
    measure = figures.measure_rate(Part.LINT, "", [placed()] * 3, 2000)
    assert (measure.figure, measure.count, measure.size) == (1.5, 3, 2000)
    assert figures.measure_rate(Part.LINT, "", [placed()], 5).figure == 10
    assert figures.measure_rate(Part.LINT, "", [], 0).absent == "no lines to judge"


def test_a_critical_finding_is_remembered() -> None:
    assert not figures.measure_rate(Part.SECURITY, "", [placed()], 10).has_critical
    critical = [placed(), placed(severity=Severity.CRITICAL)]
    assert figures.measure_rate(Part.SECURITY, "", critical, 10).has_critical


def test_files_that_do_not_parse_are_counted_and_named() -> None:
    measure, findings = figures.measure_syntax([judged("def f(:\n"), judged("x = 1\n")])
    assert (measure.figure, measure.size) == (1, 2)
    assert [each.finding.severity for each in findings] == [Severity.CRITICAL]


BRANCHES = "".join(f"    if a == {n}:\n        return {n}\n" for n in range(12))
COMPLEX = f"def tangled(a):\n{BRANCHES}    return a\n\n\n"
SIMPLE = "def plain(a):\n    b = a\n    return b\n"


def test_complexity_is_the_share_of_lines_in_complex_functions() -> None:
    measure, findings = figures.measure_complexity([judged(COMPLEX + SIMPLE)], 10)
    assert (measure.count, measure.size) == (26, 29)
    assert measure.figure == 26 / 29
    (found,) = findings
    assert found.finding.message == "tangled has a cyclomatic complexity of 13"
    assert figures.measure_complexity([judged(COMPLEX)], 13)[0].figure == 0
    assert figures.measure_complexity([judged("x = 1\n")], 10)[0].absent == "no functions"


def test_only_functions_that_were_touched_are_judged() -> None:
    start = COMPLEX.count("\n") + 1
    file = judged(COMPLEX + SIMPLE, changed=frozenset({start + 1}))
    assert [each.name for each in file.functions] == ["plain"]
    assert file.size == 1
    assert figures.measure_complexity([file], 10)[0].figure == 0


DOCUMENTED = '''\
"""Module."""
from typing import overload


class Open:
    """Class."""

    def told(self):
        """Method."""

    def silent(self):
        def inner():
            pass

    def _private(self): ...

    def __len__(self): ...

    @property
    def x(self):
        """Property."""

    @x.setter
    def x(self, value): ...

    @overload
    def y(self): ...


class _Hidden:
    def reachable(self): ...


def test_something(): ...
'''


def test_docstrings_are_due_where_something_is_public() -> None:
    measure, findings = figures.measure_docstrings([judged(DOCUMENTED)])
    assert [each.finding.message for each in findings] == ["Open.silent has no docstring"]
    assert (measure.count, measure.size) == (4, 5)


def test_tests_private_modules_and_empty_ones_owe_no_docstring() -> None:
    files = [judged("def f(): ...\n", "tests/test_m.py"), judged("", "pkg/__init__.py")]
    assert figures.measure_docstrings(files)[0].absent == "nothing public"
    assert figures.measure_docstrings([judged("x = 1\n", "pkg/_m.py")])[0].absent is not None
    assert figures.measure_docstrings([judged("x = 1\n", "pkg/__init__.py")])[0].figure == 0


def test_duplication_is_the_share_of_lines_and_names_both_places() -> None:
    text = "x = 1\n" * 10
    found = Duplicate(Block("pkg/m.py", 1, 4), Block("pkg/n.py", 5, 8), 120)
    measure, findings = figures.measure_duplication([judged(text)], [found])
    assert (measure.count, measure.size, measure.figure) == (4, 10, 0.4)
    assert [each.finding.message for each in findings] == [
        "120 tokens up to line 4 also stand in pkg/n.py:5-8"
    ]
    changed = judged(text, changed=frozenset({4, 5, 6}))
    assert figures.measure_duplication([changed], [found])[0].figure == 1 / 3


def test_an_annotation_anywhere_gives_a_type_checker_something_to_do() -> None:
    assert not figures.is_annotated(judged("def f(a): ...\n"))
    assert figures.is_annotated(judged("def f(a: int): ...\n"))
    assert figures.is_annotated(judged("class C:\n    def f(self) -> None: ...\n"))
