import pytest

from reverie.instruments.equivalence.laboratory import BudgetSpent, Deadline


def test_time_that_is_left_may_be_used_with_some_grace() -> None:
    deadline = Deadline(60)
    assert not deadline.is_over
    assert 60 < deadline.require() <= 63


def test_what_has_begun_may_be_finished_within_the_grace() -> None:
    deadline = Deadline(-1)
    assert deadline.is_over
    assert 0 < deadline.require() <= 2


def test_then_nothing_more_is_run() -> None:
    with pytest.raises(BudgetSpent):
        Deadline(-4).require()
