"""What a test is about: found by its name, and what it adds to the probability that it is kept."""

import pytest

from reverie.scoring.keepability.subject import MEANS, kept_with, subject_of, subjects_in

SOURCE = '''
def total(prices):
    """Add prices.

    >>> total([1, 2])
    3
    """
    return sum(prices)


def total_with_tax(prices, rate):
    if rate < 0:
        raise ValueError(rate)
    return total(prices) * (1 + rate)


class HttpReader:
    def read(self, size):
        return b""
'''


@pytest.mark.parametrize(
    ("test", "statements", "is_method", "has_example"),
    [
        ("test_total_of_two_prices", 1, False, True),
        ("test_total_with_tax_refuses_a_rate_below_zero", 3, False, False),
        ("test_read_gives_nothing", 1, True, False),
        ("TestReader.test_http_reader_read_is_empty", 1, True, False),
    ],
)
def test_a_test_is_about_the_longest_name_that_it_begins_with(
    test: str, statements: int, is_method: bool, has_example: bool
) -> None:
    found = subject_of(test, subjects_in(SOURCE))
    assert found is not None
    assert (found.statements, found.is_method, found.has_example) == (
        statements,
        is_method,
        has_example,
    )


def test_a_name_that_tells_no_callable_is_about_nothing() -> None:
    assert subject_of("test_totally_else", subjects_in(SOURCE)) is None
    assert subjects_in("def broken(:") == {}


def test_a_short_function_with_an_example_is_kept_sooner_than_a_long_method() -> None:
    subjects = subjects_in(SOURCE)
    plain = kept_with(0.5, subjects["total"].facts)
    method = kept_with(0.5, subjects["read"].facts)
    assert plain > 0.6 > method
    assert kept_with(0.5, MEANS) == kept_with(0.5, {}) == 0.5
    assert kept_with(1.0, {}) > 0.99
