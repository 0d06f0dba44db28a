"""When a module is done, and what entropy is."""

import math

import pytest

from reverie.scoring.trajectory import (
    Attempt,
    Completion,
    changed_entropy,
    completion_of,
    is_nothing,
    shannon_entropy,
)


def of(*gains: float | None) -> Completion:
    return completion_of([Attempt(each) for each in gains])


@pytest.mark.parametrize(
    ("gains", "completion"),
    [
        ((), Completion.INSUFFICIENT),
        ((0.0, 0.0), Completion.INSUFFICIENT),
        ((0.0, math.nan, None, 0.0), Completion.INSUFFICIENT),
        ((0.0, 0.0, 0.0), Completion.DIMINISHED),
        ((0.05, -0.05, 0.02, 0.01), Completion.DIMINISHED),
        ((9.0, 12.0, 8.0), Completion.OPEN),
        ((0.0, 0.0, 30.0), Completion.OPEN),
        ((-9.0, -9.5, -9.2), Completion.OPEN),
    ],
    ids=str,
)
def test_gains_equivalent_to_nothing_complete_a_module(
    gains: tuple[float | None, ...], completion: Completion
) -> None:
    assert of(*gains) is completion
    assert completion.is_complete == (completion is Completion.DIMINISHED)


def test_a_mean_within_the_margin_is_not_enough_where_gains_differ_much() -> None:
    assert not is_nothing([-20.0, 20.0, 1.0], 2.0)
    assert is_nothing([1.0, 1.1, 0.9], 2.0)
    assert not is_nothing([0.0, 0.0], 2.0)


def test_entropy_that_stands_still_completes_a_module() -> None:
    still = [Attempt(3.0, 2.0), Attempt(0.01, 2.01), Attempt(0.01, 2.02), Attempt(9.0, 2.06)]
    assert completion_of(still) is Completion.OPEN
    little = [Attempt(9.0, 2.0), Attempt(0.002, 2.03), Attempt(0.003, 2.06), Attempt(0.002, 2.09)]
    assert completion_of(little) is Completion.PLATEAU
    moving = [Attempt(9.0, 2.0), Attempt(0.0, 2.5), Attempt(0.0, 3.0), Attempt(0.0, 3.5)]
    assert completion_of(moving) is Completion.OPEN


def test_entropy_in_bits() -> None:
    assert shannon_entropy([]) == 0
    assert shannon_entropy([7]) == 0
    assert shannon_entropy([1, 1]) == 1
    assert shannon_entropy([1, 1, 1, 1]) == 2
    assert changed_entropy("x = 1\n", "x = 1\n") == 0
    assert changed_entropy("x = 1\n", "def (\n") is None
    changed = changed_entropy("x = 1\n", "x = 1\nfor y in z:\n    print(y)\n")
    assert changed is not None
    assert changed > 1.5
