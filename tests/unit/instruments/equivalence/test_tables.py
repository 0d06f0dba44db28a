"""Numbers that a module works out when it is imported."""

import ast

import pytest

from reverie.instruments.equivalence.around import bounded_calls
from reverie.instruments.equivalence.facts import constants_of
from reverie.instruments.equivalence.tables import bounds_near, numbers_in_tables
from reverie.model.call import Call, Expression


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("powers = [10**x for x in (3, 6)]", [1000, 10**6]),
        ("HOUR = 60 * 60\nDAY = 24 * HOUR\nUNITS = (HOUR, DAY)", [3600, 86400, 3600, 86400]),
        ("sizes: tuple[int, ...] = tuple(2**i for i in range(3))", [1, 2, 4]),
        ("half = -1 / 2", [-0.5]),
        ("words = [1, 'a']\nmore = [x + 1 for x in unknown]\nlate = 1 // 0", []),
        ("huge = 10**1000\nevery = [i for i in range(10**9)]", list(range(60))),
        ("plain = 3", []),
    ],
)
def test_entries_that_come_of_numbers_are_worked_out(source: str, found: list[float]) -> None:
    assert list(numbers_in_tables(ast.parse(source))) == found


def test_bounds_lie_at_entries_beside_them_and_a_step_above() -> None:
    assert bounds_near([10, 1000, 10, 0.5]) == (
        9, 10, 11, 1000, 999, 1001, 100_000,
    )  # fmt: skip
    assert 10**36 in bounds_near([10**x for x in (3, 6, 33, 100)])
    assert bounds_near([0, -4, 1]) == ()


def test_numbers_and_texts_that_are_numbers_are_put_there() -> None:
    call = Call(tuple(map(Expression, ("7", "'12'", "'a'", "True"))))
    assert [each.render("f") for each in bounded_calls(call, (5,))] == [
        "f(5, '12', 'a', True)",
        "f(7, '5', 'a', True)",
    ]


def test_they_are_constants_of_the_versions() -> None:
    tree = ast.parse("powers = [10**x for x in (3, 100)]\n")
    assert str(10**100) in constants_of(tree, tree)[0]
