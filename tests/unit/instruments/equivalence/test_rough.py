import ast
import functools
import math
import operator
from typing import Any

import pytest

from reverie.instruments.equivalence.variants import rough_calls
from reverie.model.call import Call, Expression


def roughened(*sources: str) -> list[list[Any]]:
    calls = rough_calls(Call(tuple(map(Expression, sources))))
    return [[ast.literal_eval(each.source) for each in call.args] for call in calls]


def added(values: list[float]) -> float:
    """One after the other; `sum` is more exact than that from Python 3.12 on."""
    return functools.reduce(operator.add, values, 0.0)


def test_the_order_of_summation_shows() -> None:
    for (values,) in roughened("[1.0, 2.0]"):
        assert added(values) not in (added(values[::-1]), math.fsum(values))


def test_parallel_lists_have_one_length_of_three_or_more() -> None:
    for left, right, names in roughened("[1.0]", "[2.0, 3.0, 4.0, 5.0]", "['a', 'b']"):
        assert len(left) == len(right) == len(names) >= 3


@pytest.mark.parametrize("source", ["{'a': 1.0}", "[('a', -1.0)]", "[{'a': 1.0, 'n': 2}]"])
def test_floats_are_reached_wherever_they_stand(source: str) -> None:
    for (given,) in roughened(source):
        assert len(given) >= 3
        assert ast.literal_eval(source) != given


def test_other_values_stay_what_they_were() -> None:
    for rows, name, count in roughened("[('\\xdf', 1.5)]", "'x'", "-7"):
        assert {row[0] for row in rows} == {"\xdf"}
        assert (name, count) == ("x", -7)


def test_a_matrix_keeps_its_number_of_rows() -> None:
    assert [len(matrix) for (matrix,) in roughened("[[1.0], [2.0]]")] == [2, 2, 2]


@pytest.mark.parametrize("source", ["[1, 2]", "'1.5'", "[]", "float('nan')", "lambda x: 1.5"])
def test_without_floats_there_is_nothing_to_do(source: str) -> None:
    calls = rough_calls(Call((Expression(source),)))
    assert list(calls) == []
