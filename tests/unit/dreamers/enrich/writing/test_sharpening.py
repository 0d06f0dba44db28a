from reverie.dreamers.enrich.writing.polishing import without_tests

SOURCE = '''\
"""Tests of shop."""

import math

import pytest

from shop import area, price


@pytest.mark.parametrize("n", [1, 2])
def test_price(n: int) -> None:
    assert price(n) == n


def test_area() -> None:
    assert area(math.pi) > 0
'''


def test_a_test_goes_with_its_decorators_and_what_only_it_needed() -> None:
    left = without_tests(SOURCE, frozenset({"test_price"}))
    assert left == (
        '"""Tests of shop."""\n\nimport math\n\nfrom shop import area\n'
        "\n\ndef test_area() -> None:\n    assert area(math.pi) > 0\n"
    )


def test_a_file_is_never_left_without_tests() -> None:
    assert without_tests(SOURCE, frozenset({"test_price", "test_area"})) is None


def test_what_is_not_there_cannot_go() -> None:
    assert without_tests(SOURCE, frozenset({"test_else"})) is None
