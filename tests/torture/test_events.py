"""Events: complete when the run is killed, true to the document's schema, enough to repeat."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

Small = Callable[..., Path]
Run = Callable[..., Any]

KILLED = """
import os, signal, pytest

@pytest.mark.parametrize("number", range(50))
def test_fails(number):
    assert number < 0

def test_kills_its_process():
    os.kill(os.getpid(), signal.SIGKILL)

def test_never_runs():
    assert False
"""


def test_events_are_complete_after_kill_9(small: Small, run_pytest: Run) -> None:
    folder = small(KILLED)
    ran = run_pytest(folder, "--reverie")
    assert ran.code == -9
    assert [each["test_id"] for each in ran.events] == [
        f"test_it.py::test_fails[{number}]" for number in range(50)
    ]
    assert len({each["signature"] for each in ran.events}) == 1
    assert (folder / "reports/events.ndjson").read_bytes().endswith(b"\n")


def test_a_killed_worker_is_an_event_with_a_stable_signature(
    small: Small, run_pytest: Run, plugins: tuple[str, ...]
) -> None:
    folder = small(KILLED)
    ran = run_pytest(folder, "--reverie", "-n", "2", beside=plugins)
    crashed = [each for each in ran.events if each["error_class"] == "WorkerCrashed"]
    assert [each["test_id"] for each in crashed] == ["test_it.py::test_kills_its_process"]
    assert "gw" not in crashed[0]["message"]
    assert len(ran.events) == 52
    assert len({each["run"] for each in ran.events}) == 1


def test_an_event_has_the_keys_of_the_document(small: Small, run_pytest: Run) -> None:
    folder = small("def test_it():\n    assert 1 == 2\n")
    (event,) = run_pytest(folder, "--reverie").events
    assert list(event)[:11] == [
        *("ts", "suite", "test_id", "file", "error_class", "message", "stack", "repro_cmd"),
        *("seed", "env", "signature"),
    ]
    assert event["suite"] == "unit"
    assert event["test_id"] == "test_it.py::test_it"
    assert event["file"] == str(folder / "test_it.py")
    assert event["error_class"] == "AssertionError"
    assert event["message"] == "assert 1 == 2"
    assert "assert 1 == 2" in event["stack"]
    assert event["repro_cmd"] == "pytest -q --reverie test_it.py::test_it"
    assert event["seed"] == 1337
    assert event["env"] == {"PYTHONHASHSEED": "0", "FREEZE_TIME": "1", "ALLOW_NET": "0"}
    assert event["ts"] > "2025-01-16"
    assert event["ts"].endswith("Z")


def test_the_environment_told_is_the_one_in_force(small: Small, run_pytest: Run) -> None:
    folder = small(
        "import pytest\n"
        "@pytest.mark.clock\ndef test_clock(): assert 0\n"
        "@pytest.mark.external\ndef test_external(): assert 0\n"
    )
    ran = run_pytest(folder, "--reverie", PYTHONHASHSEED="7", FREEZE_TIME="2030-01-01T00:00:00Z")
    clock, external = (each["env"] for each in ran.events)
    moment = "2030-01-01T00:00:00Z"
    assert clock == {"PYTHONHASHSEED": "7", "FREEZE_TIME": "0", "ALLOW_NET": "0"}
    assert external == {"PYTHONHASHSEED": "7", "FREEZE_TIME": moment, "ALLOW_NET": "1"}


def test_long_texts_are_cut(small: Small, run_pytest: Run) -> None:
    folder = small("def test_it():\n    raise ValueError('é\\ud800' * 9000)\n")
    (event,) = run_pytest(folder, "--reverie").events
    assert len(event["message"]) == 512
    assert len(event["stack"]) == 4000


def test_the_command_repeats_the_failure_alone(project: Path, run_pytest: Run) -> None:
    line = ("-q", "-p", "no:asyncio", "test_chance.py", "--tb=no", "-k", "not numpy")
    whole = run_pytest(project, *line, PYTEST_SEED="5")
    test = "test_second_user_of_a_shared_fixture"
    (message,) = whole.messages(test)
    (event,) = (each for each in whole.events if each["test_id"].endswith(f"::{test}"))
    (project / "reports" / "events.ndjson").unlink()
    seed, program, *arguments = shlex.split(event["repro_cmd"])
    assert (seed, program) == ("PYTEST_SEED=5", "pytest")
    again = run_pytest(project, *arguments, "-p", "no:asyncio", PYTEST_SEED="5")
    assert again.messages(test) == {message}


def test_a_line_torn_by_a_crash_stays_alone(small: Small, run_pytest: Run) -> None:
    folder = small("def test_it(): assert 0\n")
    file = folder / "torn.ndjson"
    file.write_bytes(b'{"ts": "2025')
    run_pytest(folder, "--reverie", "--reverie-events=torn.ndjson")
    torn, whole = file.read_bytes().splitlines()
    assert torn == b'{"ts": "2025'
    assert json.loads(whole)["test_id"] == "test_it.py::test_it"


def test_a_folder_that_cannot_be_written_fails_no_test(small: Small, run_pytest: Run) -> None:
    folder = small("def test_it(): assert 0\ndef test_other(): pass\n")
    (folder / "reports").write_text("a file where the folder should be")
    ran = run_pytest(folder, "--reverie", "--reverie-events=reports/events.ndjson")
    assert ran.code == 1
    assert "1 failed, 1 passed" in ran.out
    assert "reverie: events were not written: [Errno" in ran.out


def test_a_test_that_breaks_json_and_os_is_told_all_the_same(small: Small, run_pytest: Run) -> None:
    folder = small(
        "import json, os\n"
        "def test_it():\n"
        "    os.write = os.open = json.dumps = None\n"
        "    raise ValueError('told')\n"
    )
    (event,) = run_pytest(folder, "--reverie", "-s").events
    assert event["message"] == "told"


def test_a_run_notes_which_tests_pass_again(small: Small, run_pytest: Run) -> None:
    folder = small(
        "import pathlib\nflag = pathlib.Path(__file__).with_name('flag')\n"
        "def test_flaky():\n    assert flag.exists()\ndef test_steady(): pass\n"
    )
    run_pytest(folder, "--reverie")
    (folder / "flag").touch()
    run_pytest(folder, "--reverie")
    lines = (folder / "reports" / "runs.ndjson").read_text().splitlines()
    first, second = map(json.loads, lines)
    assert (first["tests"], first["failed"], first["passed_again"]) == (2, 1, [])
    assert (second["failed"], second["passed_again"]) == (0, ["test_it.py::test_flaky"])
    assert first["run"] != second["run"]


def test_a_run_without_failures_leaves_no_file(small: Small, run_pytest: Run) -> None:
    folder = small("def test_it(): pass\n")
    assert run_pytest(folder, "--reverie").code == 0
    assert not (folder / "reports").exists()


def test_one_assertion_is_one_signature_at_any_verbosity(small: Small, run_pytest: Run) -> None:
    folder = small(
        "import pytest\n"
        "@pytest.mark.parametrize('n', [1, 2])\n"
        "def test_it(n):\n"
        "    assert list(range(n * 300)) == [\n        'x' * n]\n"
    )
    seen = set()
    for flags in ((), ("-vv",)):
        seen |= {each["signature"] for each in run_pytest(folder, "--reverie", *flags).events}
    assert len(seen) == 1
