"""What the keeper makes of srt's exit status and of its output."""

import os

import pytest

from reverie.sandbox.inside import guest_process
from reverie.sandbox.inside.family import Sample


@pytest.mark.parametrize(("exit_code", "seen"), [(0, 0), (3 << 8, 3 << 8), (152 << 8, 24), (9, 9)])
def test_a_signal_that_a_shell_turned_into_a_status_is_turned_back(
    exit_code: int, seen: int
) -> None:
    assert guest_process._as_seen_inside(exit_code) == seen


def test_the_status_of_a_signal_reads_as_one() -> None:
    assert os.WTERMSIG(guest_process._as_seen_inside(152 << 8)) == 24


def test_spending_only_grows_but_memory_is_as_it_is_now() -> None:
    first, later = Sample(2.0, 500, 90), Sample(1.0, 700, 40)
    assert first.and_later(later) == Sample(2.0, 700, 40)


def test_what_nobody_saw_is_absent_not_zero() -> None:
    assert Sample(0.0, 0, 0).spent() == {}
    assert Sample(0.0, 12, 0).spent() == {"cpu": 0.0, "peak_kib": 12}
