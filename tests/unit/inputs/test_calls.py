from collections.abc import Callable
from typing import Any

import pytest

from reverie.errors import UsageError
from reverie.inputs import generate_calls, read

Perform = Callable[..., Any]
SCALARS = "def f(a: int, b: str, c: float, d: bool, e: bytes): return [a, b, c, d, e]"


def test_the_same_seed_gives_the_same_calls() -> None:
    assert generate_calls(SCALARS, "f", seed=3) == generate_calls(SCALARS, "f", seed=3)


def test_another_seed_gives_other_calls() -> None:
    assert generate_calls(SCALARS, "f", seed=3) != generate_calls(SCALARS, "f", seed=4)


def test_calls_differ_from_one_another() -> None:
    calls = generate_calls(SCALARS, "f", count=50)
    assert len(set(calls)) == len(calls) == 50


def test_a_call_of_fewer_ways_than_asked_for_comes_once_each() -> None:
    calls = generate_calls("def f(a: bool): ...", "f", count=50)
    assert sorted(call.render("f") for call in calls) == ["f(False)", "f(True)"]


def test_an_unknown_name_is_an_error_that_names_it() -> None:
    with pytest.raises(UsageError, match="no 'missing'"):
        read(SCALARS, "missing")


def test_a_source_that_does_not_parse_is_an_error() -> None:
    with pytest.raises(UsageError, match="not Python source"):
        read("def f(:", "f")


def test_every_scalar_has_its_own_type(perform: Perform) -> None:
    for call in generate_calls(SCALARS, "f", count=40):
        kinds = [type(each) for each in perform(SCALARS, "f", call)]
        assert kinds == [int, str, float, bool, bytes]
