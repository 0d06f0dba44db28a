"""Cycles on repositories of every kind that people have, and cycles that are disturbed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.model.cycle import CycleState
from reverie.promotion.scratch import held_alone
from reverie.store import Journal
from reverie.store.cycle_queries import list_cycles, unfinished_cycle

FARES = '''
def fare(adults: int, has_car: bool = False) -> int:
    """What a crossing costs."""
    if adults < 0:
        raise ValueError("no negative number of people")
    return 45 * adults + (120 if has_car else 0)
'''
CASES = """import time
import unittest

from fares import fare


class TestFare(unittest.TestCase):
    def test_nobody(self):
        time.sleep(0.4)
        self.assertEqual(fare(0), 0)
"""
_INTERRUPTED = """
import os, signal, sys
from reverie.interfaces.cli import night
from reverie.interfaces.cli.boundary import run

def show(self, glance):
    if glance.under_way:
        night.Night.show = lambda *_: None
        os.kill(os.getpid(), signal.SIGINT)

night.Night.show = show
signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background ignores it
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_unittest_slow_tests_and_no_environment_of_its_own(
    cli: Callable, scripted: Callable
) -> None:
    made = scripted("ferry")
    made.commit("One", {"fares.py": FARES, "tests/__init__.py": "", "tests/test_all.py": CASES})
    ran = cli("run", str(made.folder), "--executions", "30", "--cycles", "3", "--json")
    assert ran.code == 0, ran.err
    (first,) = ran.document["earlier"]
    assert first["baseline"]["passed"] == 1
    assert ["no virtual environment" in note for note in first["environment"]["notes"]] == [True]
    (promotion,) = first["promotions"]
    new = made.git("show", f"{promotion['branch']}:tests/test_fares.py")
    assert "(unittest.TestCase):" in new
    assert "pytest" not in new
    assert ran.document["steps"] == {"skipped": 1}, "the second of three found nothing left to do"


def test_without_git_and_tests_there_are_patches_and_the_same_for_the_same_seed(
    cli: Callable, tmp_path: Path
) -> None:
    seen = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "fares.py").write_text(FARES)
        ran = cli("run", str(folder), "--executions", "20", "--seed", "11", "--json")
        assert ran.document["baseline"]["tests"] == 0
        (promotion,) = ran.document["promotions"]
        assert (promotion["branch"], promotion["commit"]) == (None, None)
        patch = Path(promotion["patch"]).read_text()
        assert "+++ b/tests/test_fares.py" in patch
        assert sorted(path.name for path in folder.iterdir()) == [".reverie", "fares.py"]
        changes = patch[patch.index("\n--- ") :]  # the message above it also tells what it cost
        seen.append((promotion["dream_id"], ran.document["verdicts"], changes))
    assert seen[0] == seen[1]


def test_ctrl_c_ends_it_cleanly_and_the_rest_can_be_done_later(
    root: Path, scripted: Callable
) -> None:
    made = scripted("ferry")
    made.commit("One", {"fares.py": FARES})
    made.write({"notes.txt": "mine"})
    before = made.git("status", "--porcelain")
    line = [sys.executable, "-c", _INTERRUPTED, "run", str(made.folder)]
    ran = subprocess.run(
        [*line, "--executions", "2000", "--json"],
        cwd=root,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 130, ran.stderr
    assert "Traceback" not in ran.stderr
    document = json.loads(ran.stdout)
    assert (document["state"], document["promotions"]) == ("interrupted", [])
    assert Path(document["report"]).is_file()
    assert made.git("status", "--porcelain") == before
    with Journal.open(f"sqlite:///{made.folder}/.reverie/journal.db", create=False) as journal:
        (header,) = list_cycles(journal, made.folder)
        assert header.state is CycleState.INTERRUPTED
        assert unfinished_cycle(journal, made.folder) == header.id


def test_a_second_run_beside_the_first_is_refused(cli: Callable, scripted: Callable) -> None:
    made = scripted("ferry")
    made.commit("One", {"fares.py": FARES})
    with held_alone(f"cycle {made.folder.resolve()}", "a cycle", 0.0):
        ran = cli("run", str(made.folder), "--executions", "10")
    assert (ran.code, ran.out) == (1, "")
    assert "another process" in ran.err
    assert not (made.folder / ".reverie").exists()
