"""What a second look takes back, and what a thread that outlives its test tells nobody."""

import threading
from pathlib import Path
from typing import Any

import pytest

from reverie.instruments.mutation.campaign import _voided
from reverie.instruments.mutation.inside.recorder import Recorder
from reverie.model.measurements.suite import Agreement


@pytest.mark.parametrize(
    ("checked", "wrong", "is_void"), [(20, 0, False), (5, 1, False), (30, 3, False), (20, 3, True)]
)
def test_verdicts_that_fresh_processes_do_not_confirm_are_void(
    checked: int, wrong: int, is_void: bool
) -> None:
    said = _voided(Agreement(checked, tuple(map(str, range(wrong)))))
    assert (said is not None) is is_void


def test_what_a_thread_runs_after_its_test_is_no_part_of_the_next(tmp_path: Path) -> None:
    file = str(tmp_path / "target.py")
    ready, go = threading.Event(), threading.Event()
    made: dict[str, Any] = {"ready": ready, "go": go}
    source = (
        "def late():\n    ready.set()\n    go.wait()\n    return 1\n\ndef now():\n    return 2\n"
    )
    exec(compile(source, file, "exec"), made)  # noqa: S102  what this test wrote
    recorder = Recorder(frozenset({file}))
    recorder.start()
    thread = threading.Thread(target=made["late"])
    thread.start()
    ready.wait()
    recorder.stop()
    recorder.take()
    recorder.start()
    made["now"]()
    go.set()
    thread.join()
    recorder.stop()
    assert recorder.take()[0] == {(file, "now"): {7}}
