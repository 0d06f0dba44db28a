"""Tests written for a small module, through the real sandbox."""

import ast
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie import Sandbox
from reverie.dreamers.enrich.writing import Written, write_tests
from reverie.errors import MachineryError
from reverie.instruments.flakiness import RUNS, find_wavering
from reverie.instruments.mutation.matrix import Ground, measure_kills
from reverie.model.call import Expression, Scenario, Seen, Step, StepForm

_CODE = '''
"""Shop."""
import random
import time

RATE = 20


def total(prices: list[int], discount: int = 0) -> int:
    amount = 0
    for price in prices:
        if price < 0:
            raise ValueError(f"a negative price: {price}")
        amount += price
    return amount - discount


def average(prices: list[int]) -> float:
    return sum(prices) / len(prices)


def taxed(price: int) -> int:
    return price * (100 + RATE) // 100


def year() -> int:
    return time.gmtime().tm_year


def toss() -> bool:
    return random.random() < 0.9
'''


@dataclass(frozen=True)
class _Subject:
    module: str
    path: str
    source: str
    import_root: str
    python: str | None
    roots: tuple[str, ...]
    repository: str | None


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> _Subject:
    root = str(tmp_path_factory.mktemp("shop"))
    Path(root, "shop.py").write_text(_CODE)
    return _Subject("shop", f"{root}/shop.py", _CODE, root, None, (root,), root)


def _scenario(source: str, expected: str, kind: str = "builtins.int") -> Scenario:
    callee = source.partition("(")[0]
    step = Step(Expression(source, names=frozenset({callee})), StepForm.CALL, callee)
    return Scenario((step,), (Seen(kind, Expression(expected)),), frozenset())


def _raising(source: str, kind: str, message: str, line: int) -> Scenario:
    callee = source.partition("(")[0]
    step = Step(Expression(source, names=frozenset({callee})), StepForm.CALL, callee)
    seen = Seen(f"builtins.{kind}", raised=message, raised_in=f"shop.py:{callee}:{line}")
    return Scenario((step,), (seen,), frozenset())


_SCENARIOS = (
    _scenario("total([])", "0"),
    _scenario("total([1, 2])", "3"),
    _scenario("total([1, 2], 1)", "2"),
    _scenario("total([0, 5])", "5"),
    _raising("total([-1])", "ValueError", "a negative price: -1", 13),
    _raising("average([])", "ZeroDivisionError", "division by zero", 19),
    _scenario("average([1, 2])", "1.5", "builtins.float"),
    _scenario("taxed(100)", "120"),
    _scenario("year()", "2026"),
    _scenario("toss()", "True", "builtins.bool"),
)


@pytest.fixture(scope="module")
def written(subject: _Subject) -> Written:
    with Sandbox() as sandbox:
        return write_tests(
            sandbox, subject, _SCENARIOS, deadline=None, command="reverie enrich shop"
        )


def test_few_tests_notice_what_can_be_noticed(written: Written) -> None:
    assert written.path == "tests/test_shop.py"
    assert written.killed is not None
    assert written.mutants is not None
    assert written.killed / written.mutants > 0.75
    source = written.source
    compile(source, "tests", "exec")
    assert "a negative price: -" in source, "the message with its value"
    assert "taxed(100) == 120" in source
    assert written.lines <= 30
    assert all(len(line) <= 100 for line in source.splitlines())


def test_what_wavers_and_what_looks_like_a_slip_is_not_in_it(written: Written) -> None:
    assert "year" not in written.source
    assert "toss" not in written.source
    assert "average([])" not in written.source
    (finding,) = written.findings
    assert (finding.function, finding.kind) == ("average", "ZeroDivisionError")
    assert finding.input == "average([])"


def test_of_nothing_nothing_is_written(subject: _Subject) -> None:
    with Sandbox() as sandbox:
        empty = write_tests(sandbox, subject, (), deadline=None, command="reverie enrich shop")
    assert empty.source == ""
    assert empty.tests == 0


def test_every_row_that_fails_in_any_run_is_told(tmp_path: Path) -> None:
    source = """
import pytest

seen = []


@pytest.mark.parametrize("letter", ["a", "b", "c"])
def test_row(letter: str) -> None:
    assert letter != "b"


def test_first() -> None:
    seen.append(1)


def test_after_first() -> None:
    assert seen
"""
    (tmp_path / "nothing.py").write_text("")
    ground = Ground(str(tmp_path), "nothing.py", "nothing")
    with Sandbox() as sandbox:
        found = find_wavering(sandbox, ground, source)
        assert found.wavering == {("test_row", 1), ("test_after_first", 0)}
        assert found.tests == 5
        assert find_wavering(sandbox, ground, "import nowhere", RUNS[:1]).broken


def test_the_matrix_knows_which_check_notices_which_mutant(subject: _Subject) -> None:
    program = """
from shop import taxed, total


def first(hold):
    if taxed(100) == 120:
        hold(0)


def second(hold):
    if total([1, 2], 1) == 2:
        hold(1)
    if total([]) == 5:
        hold(2)


TRIALS = [first, second]
"""
    ground = Ground(subject.import_root, "shop.py", "shop")
    lines = {node.lineno for node in ast.walk(ast.parse(_CODE)) if isinstance(node, ast.Return)}
    with Sandbox() as sandbox:
        matrix = measure_kills(sandbox, ground, program, [[0], [1, 2]], seconds=None)
        assert matrix is not None
        assert matrix.steady == {0, 1}
        assert matrix.kills[0]
        assert matrix.kills[1]
        assert not matrix.kills[0] & matrix.kills[1]
        assert 2 not in matrix.kills
        assert matrix.judged == matrix.sites
        assert {arc[1] for arc in matrix.arcs[0]} & lines
        with pytest.raises(MachineryError):
            measure_kills(sandbox, ground, "from shop import nothing", [[0]], seconds=None)
