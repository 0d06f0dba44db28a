import ast

import pytest

from reverie.dreamers.enrich.writing.selecting.manual import manual_of
from reverie.dreamers.enrich.writing.selecting.suspicion import Sifted, sift
from reverie.model.call import Scenario, Seen, Step, StepForm

from .scenarios import call, error, make, scenario, value

_SOURCE = '''
def average(values):
    return sum(values) / len(values)


def initials(name: str) -> str:
    return name.split()[0][0]


def checked(count: int) -> int:
    if count < 0:
        raise ValueError("negative")
    return count


def documented(values: list) -> int:
    """The first of them.

    :raises IndexError: when there is none
    """
    return values[0]


def shouting(text: str) -> str:
    """
    >>> shouting('a')
    'A'
    """
    return text


def asserted(count: int) -> int:
    assert count != 3
    return count


def told(text: str) -> int:
    return text.find("x") or None


def nth(index, items):
    return items[index]


def typed(count: int) -> int:
    if not isinstance(count, int):
        raise TypeError("an int, please")
    return count


def _hidden(text: str) -> str:
    return text[0]


def applied(function, items):
    return function(items)


def command(arguments: argparse.Namespace) -> str:
    return arguments.version
'''


def _sift(*scenarios: Scenario) -> Sifted:
    return sift(scenarios, manual_of(ast.parse(_SOURCE)), "pkg.mod", "/repo/pkg/mod.py")


def _line(text: str) -> int:
    return next(n for n, line in enumerate(_SOURCE.splitlines(), 1) if text in line)


def _raised(source: str, kind: str, message: str, text: str) -> Scenario:
    place = f"pkg/mod.py:{source.partition('(')[0]}:{_line(text)}"
    return scenario((call(source), error(kind, message, place)))


@pytest.mark.parametrize(
    "suspect",
    [
        _raised("average([])", "UnboundLocalError", "x", "sum(values)"),
        _raised("initials('')", "IndexError", "list index out of range", "split"),
        _raised("asserted(3)", "AssertionError", "", "assert count"),
        _raised("initials('a')", "UnboundLocalError", "x", "split"),
        _raised("initials('a')", "RecursionError", "deep", "split"),
        _raised("initials('a')", "AttributeError", "no attribute", "split"),
        _raised("initials('a')", "ValueError", "not enough values to unpack", "split"),
        scenario((call("shouting('a')"), value("'a'"))),
        scenario((call("told('abc')"), Seen("builtins.NoneType", value("None").literal))),
    ],
)
def test_what_looks_like_a_slip_is_a_finding_and_no_test(suspect: Scenario) -> None:
    sifted = _sift(suspect)
    assert sifted.scenarios == []
    (finding,) = sifted.findings
    assert finding.module == "pkg.mod"
    assert finding.input == suspect.steps[0].line.source
    assert finding.why
    assert finding.input in finding.repro


def _without_ada(step: Step) -> float:
    return float("Ada" not in step.line.source)


def test_of_findings_that_look_alike_the_plainest_input_is_kept() -> None:
    odd, plain = "initials('\\n')", "initials('Ada Lovelace')"
    seen = [_raised(each, "IndexError", "out of range", "split") for each in (odd, plain)]
    manual = manual_of(ast.parse(_SOURCE))
    found = sift(
        seen, manual, "pkg.mod", "/repo/pkg/mod.py", lambda step: "Ada" not in step.line.source
    )
    assert [each.input for each in found.findings] == [plain]
    assert [each.input for each in _sift(*seen).findings] == [odd], "else the shortest"


@pytest.mark.parametrize(
    "junk",
    [
        _raised("average([])", "ZeroDivisionError", "division by zero", "sum(values)"),
        _raised("average(3)", "IndexError", "list index out of range", "sum(values)"),
        _raised("command(argparse.Namespace(a=1))", "AttributeError", "'Namespace'", ".version"),
        _raised("_hidden('')", "IndexError", "string index out of range", "return text[0]"),
    ],
)
def test_an_input_that_nothing_allows_makes_no_finding(junk: Scenario) -> None:
    assert _sift(junk) == Sifted()


@pytest.mark.parametrize(
    "kept",
    [
        _raised("checked(-1)", "ValueError", "negative", 'raise ValueError("negative")'),
        _raised("documented([])", "IndexError", "list index out of range", "values[0]"),
        _raised("typed('a')", "TypeError", "an int, please", "raise TypeError"),
        scenario((call("checked(1)"), value("1", "builtins.int"))),
        scenario((call("shouting('B')"), value("'B'"))),
    ],
)
def test_what_is_promised_becomes_a_test(kept: Scenario) -> None:
    sifted = _sift(kept)
    assert sifted.scenarios == [kept]
    assert sifted.findings == []


@pytest.mark.parametrize(
    "neither",
    [
        _raised("initials(5)", "AttributeError", "no attribute 'split'", "split"),
        _raised("average(5)", "TypeError", "not iterable", "sum(values)"),
        _raised("nth(9, [])", "IndexError", "list index out of range", "items[index]"),
        _raised("applied(lambda a: a[0], [])", "IndexError", "out of range", "function(items)"),
        scenario((call("average(b'')"), error("MemoryError", ""))),
        scenario((call("initials('')"), error("IndexError", "elsewhere", "other.py:f:3"))),
    ],
)
def test_wrong_arguments_and_foreign_faults_are_neither(neither: Scenario) -> None:
    sifted = _sift(neither)
    assert sifted.scenarios == []
    assert sifted.findings == []


def _without_ada(step: Step) -> float:
    return float("Ada" not in step.line.source)


def test_of_findings_that_look_alike_the_shortest_input_is_kept() -> None:
    short = _raised("average([])", "UnboundLocalError", "x", "sum(values)")
    long = _raised("average(list(range(0)))", "UnboundLocalError", "x", "sum(values)")
    assert [each.input for each in _sift(long, short).findings] == ["average([])"]


def test_a_finding_after_several_steps_shows_all_of_them() -> None:
    place = f"pkg/mod.py:average:{_line('sum(values)')}"
    made = scenario(
        (make("list(range(0))", "items"), value("[]", "builtins.list")),
        (call("average(items)"), error("UnboundLocalError", "x", place)),
    )
    (finding,) = _sift(made).findings
    assert finding.input == "items = list(range(0)); average(items)"
    assert finding.line == _line("sum(values)")
    assert made.steps[0].form is StepForm.MAKE
