"""Parametrised tests whose parameters make no difference, and those whose parameters do."""

import ast

import pytest

from reverie.gates.suite.cases import Unknown, repeated_cases, value_of
from reverie.gates.suite.oracle import OracleGate
from reverie.syntax.nodes import functions

from .matters import new_test


def counted(source: str) -> tuple[int, int]:
    ((_, function),) = functions(ast.parse(source))
    return repeated_cases(function)


def written(body: str, names: str = "n", values: str = "range(6)") -> str:
    mark = f'@pytest.mark.parametrize("{names}", {values})\n'
    return f"{mark}def test_price({names}):\n    {body}\n"


@pytest.mark.parametrize(
    "body",
    [
        "assert price(3) == 4",
        "assert price(3 + n * 0) == 4",
        "assert price(f'{n * 0}:30') == 4",
        "assert price('1:30'[: 4 + n]) == 4",
        "k = 4 + 0 * n\n    assert price(k) == 4",
        "assert price(min(n, 0)) == 4",
        "assert price(4 if n < 100 else n) == 4",
        "k = n\n    m = k * 0\n    assert price(m) == 4",
        "assert price([1, 2][n - n]) == 4",
        "assert price((1,) * (n // 7)) == 4",
    ],
)
def test_parameters_without_a_difference(body: str) -> None:
    assert counted(written(body)) == (6, 1)
    (refused,) = OracleGate().judge(new_test(written(body), head="from shop import price\n"))
    assert refused.reason_code == "repeated_cases"
    assert refused.reason == "test_price asks 1 of 6 cases: the others repeat them"


@pytest.mark.parametrize(
    "body",
    [
        "assert price(n) == 4",
        "assert price(n * 2) == price(n) * 2",
        "assert price(len(hash(n) * 'a')) == 4",
        "assert price(0 * other(n)) == 4",
        "k = n + 1\n    assert price(k) == 4",
        "k = other(n)\n    assert price(k) == 4",
        "for i in range(n):\n        assert price(i) == i",
        "assert price('a' * (n * 10**9)) == 4",
        "assert price(n ** 10**9) == 4",
        "assert price('%0*d' % (n, 1)) == 4",
    ],
)
def test_parameters_that_differ_or_cannot_be_reckoned(body: str) -> None:
    cases, different = counted(written(body))
    assert 2 * different > cases == 6


def test_rows_written_twice() -> None:
    rows = "[(1, 2), (1, 2), pytest.param(1, 2, id='again'), (Cart(), 2), [Cart(), 2]]"
    assert counted(written("assert price(a) == b", "a,b", rows)) == (5, 2)


def test_a_value_that_is_not_reckoned_is_not_looked_into() -> None:
    rows = "[Cart(1), Cart(2)]"
    assert counted(written("assert len(n) == 4", "n", rows)) == (2, 2)
    assert counted(written("assert n[:0] == 4", "n", rows)) == (2, 2)


def test_two_marks_make_every_pair() -> None:
    inner = written("assert price(m) == n", "n", "[1, 2]").replace("(n):", "(n, m):")
    assert counted('@pytest.mark.parametrize("m", [3, 3, 3])\n' + inner) == (6, 2)


@pytest.mark.parametrize(
    "values", ["CASES", "range(COUNT)", "[]", "range(0)", "range(2), indirect=True"]
)
def test_a_table_that_is_not_there_to_be_read_says_nothing(values: str) -> None:
    assert counted(written("assert price(3) == 4", "n", values)) == (1, 1)


def test_true_and_one_are_two_cases() -> None:
    assert counted(written("assert price(n) == 4", "n", "[1, True, 1.0]")) == (3, 3)


@pytest.mark.parametrize(
    "text", ["open('x')", "10**10**10", "'a' * 10**12", "x.y", "1 / 0", "[][3]"]
)
def test_nothing_is_run_and_nothing_large_is_made(text: str) -> None:
    with pytest.raises(Unknown):
        value_of(ast.parse(text, mode="eval").body, {"x": 1})


def test_a_parameter_may_be_there_for_a_fixture() -> None:
    unused = written("assert price(3) == 4").replace("(n):", "(n, cart):")
    assert counted(unused) == (1, 1)
    assert counted(unused.replace("(3)", "(cart, 0 * n)")) == (6, 1)
