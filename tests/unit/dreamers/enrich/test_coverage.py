import pytest

from reverie.dreamers.enrich.worth import outline_of

SOURCE = '''"""Text."""


def sign(number):
    """Text."""
    if number > 0:
        return 1
    while number < -1:
        number += 1
    return -1


def never():  # pragma: no cover
    return None
'''


def test_statements_are_counted_without_docstrings_and_what_is_left_out() -> None:
    assert outline_of(SOURCE).lines == {4, 6, 7, 8, 9, 10}


def test_a_branch_is_covered_by_each_way_out() -> None:
    outline = outline_of(SOURCE)
    assert [(each.line, each.body) for each in outline.branches] == [(6, 7), (8, 9)]
    assert outline.covered({(6, 7)}).branches == 0.25
    assert outline.covered({(6, 7), (6, 8), (8, 10)}).branches == 0.75


def test_a_condition_over_several_lines_is_one_statement() -> None:
    outline = outline_of("def f(a, b):\n    if (a and\n            b):\n        return 1\n")
    covered = outline.covered({(-1, 2), (2, 3), (3, 4), (3, -1)})
    assert covered.branches == 1.0


@pytest.mark.parametrize("source", ["", "x = 1\n"])
def test_a_module_without_branches_has_them_all(source: str) -> None:
    assert outline_of(source).covered(()).branches == 1.0


def test_cases_of_a_match_are_branches_but_not_the_last_resort() -> None:
    source = (
        "def f(a):\n    match a:\n        case 1:\n            return 1\n"
        "        case _:\n            return 2\n"
    )
    assert [each.line for each in outline_of(source).branches] == [3]
