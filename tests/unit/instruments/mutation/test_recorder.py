"""What runs between two looks is told at the second, by whoever ran it."""

import sys
import threading

import pytest

from reverie.instruments.mutation.inside import recorder as recording
from reverie.instruments.mutation.inside.recorder import Recorder


def first() -> int:
    return 1


def second() -> int:
    return 2


def lines(recorder: Recorder) -> set[str]:
    """The functions of which lines were collected."""
    return {name for _, name in recorder.take()[0]}


def test_what_several_starts_collect_is_taken_together() -> None:
    recorder = Recorder(frozenset({__file__}))
    for function in (first, second):
        recorder.start()
        function()
        recorder.stop()
    assert lines(recorder) == {"first", "second"}
    assert lines(recorder) == set()


def test_a_thread_that_is_left_over_is_no_part_of_what_comes_next() -> None:
    recorder = Recorder(frozenset({__file__}))
    may_go_on = threading.Event()
    left = threading.Thread(target=lambda: may_go_on.wait() and second())
    recorder.start()
    left.start()
    recorder.stop()
    recorder.take()
    recorder.start()
    first()
    may_go_on.set()
    left.join()
    recorder.stop()
    assert lines(recorder) == {"first"}


def test_a_test_that_makes_too_many_calls_is_followed_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recording, "MOST_CALLS", 2)
    recorder = Recorder(frozenset({__file__}))
    recorder.start()
    for _ in range(2):
        first()
    second()
    is_followed = sys.gettrace() is not None
    recorder.stop()
    assert (lines(recorder), is_followed) == ({"first"}, False)
    recorder.start()  # the next one is followed again
    second()
    recorder.stop()
    assert lines(recorder) == {"second"}
