"""Failures in every phase, and of every kind of test."""

import tempfile
import unittest
from pathlib import Path
from typing import NoReturn

import pytest


@pytest.fixture
def broken_setup() -> NoReturn:
    raise LookupError("setup")


@pytest.fixture
def broken_teardown() -> object:
    yield
    raise LookupError("teardown")


def test_setup_fails(broken_setup: None) -> None:
    pass


def test_teardown_fails(broken_teardown: None) -> None:
    pass


def test_call_and_teardown_fail(broken_teardown: None) -> None:
    assert 1 == 2


def test_no_such_fixture(nowhere: None) -> None:
    pass


def _share(total: int, people: int) -> float:
    return total / people


@pytest.mark.parametrize("total", [1, 2, 3])
def test_one_bug_behind_three_parameters(total: int) -> None:
    _share(total, 0)


def test_a_message_with_what_differs_between_runs(tmp_path: Path) -> None:
    raise ValueError(f"{object()} in {tmp_path} and {tempfile.gettempdir()}/x at line 12")


def test_a_rewritten_assertion_with_a_long_value() -> None:
    assert list(range(200)) == ["x" * 300]


def test_a_message_that_cannot_be_told() -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    raise Silent


@pytest.mark.xfail(strict=True, reason="it passes")
def test_passes_though_it_should_not() -> None:
    pass


@pytest.mark.xfail
def test_fails_as_expected() -> None:
    raise AssertionError


@pytest.mark.skip
def test_skipped() -> None:
    raise AssertionError


class TestOfUnittest(unittest.TestCase):
    def setUp(self) -> None:
        if "setup" in self.id():
            raise LookupError("unittest setup")

    def test_fails(self) -> None:
        self.assertEqual([1], [2])

    def test_setup_fails(self) -> None:
        pass

    def test_passes(self) -> None:
        pass


async def test_coroutine_fails() -> None:
    raise LookupError("in a coroutine")


def documented() -> None:
    """Has an example that is wrong, and one that raises.

    >>> 1 + 1
    3
    """


def documented_error() -> None:
    """Has an example that raises.

    >>> {}["key"]
    1
    """
