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
from reverie.store.cycles.cycles import list_cycles, unfinished_cycle

FARES = '''
def fare(adults: int, has_car: bool = False) -> int:
    """What a crossing costs."""
    if adults < 0:
        raise ValueError("no negative number of people")
    return 45 * adults + (120 if has_car else 0)
'''
RULES = '[[rule]]\nname = "r"\nwhen = "files > 0"\nverdict = "hold"\nreason = "freeze"\n'
SETTINGS = '[tool.reverie.governance]\nrules = "rules.toml"\n'
SPENT = ("--executions", "20", "--seed", "11", "--stage", "A")
_INTERRUPTED = """
import os, signal, sys
from reverie.interfaces.cli.boundary import run
from reverie.interfaces.cli.views import cycles

def show(self, glance):
    if glance.under_way:
        cycles.Night.show = lambda *_: None
        os.kill(os.getpid(), signal.SIGINT)

cycles.Night.show = show
signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background ignores it
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_without_git_and_tests_there_are_patches_and_a_rule_of_the_owner_holds_them_back(
    cli: Callable, tmp_path: Path
) -> None:
    ferry = tmp_path / "ferry"
    ferry.mkdir()
    (ferry / "fares.py").write_text(FARES)
    ran = cli("run", str(ferry), *SPENT, "--json")
    assert ran.document["baseline"]["tests"] == 0
    (promotion,) = ran.document["promotions"]
    assert (promotion["branch"], promotion["commit"]) == (None, None)
    assert "+++ b/tests/test_fares.py" in Path(promotion["patch"]).read_text()
    assert sorted(path.name for path in ferry.iterdir()) == [".reverie", "fares.py"]
    held = _held_back(cli, ferry)
    assert held == promotion["dream_id"], "for the same seed, the same dream"


def _held_back(cli: Callable, ferry: Path) -> str:
    """The dream that a rule of the owner keeps from being promoted, on a copy with the rule."""
    frozen = ferry.with_name("frozen")
    frozen.mkdir()
    files = {"fares.py": FARES, "rules.toml": RULES, "pyproject.toml": SETTINGS}
    for name, text in files.items():
        (frozen / name).write_text(text)
    ran = cli("run", str(frozen), *SPENT, "--json")
    assert (ran.code, ran.document["promotions"]) == (0, []), ran.err
    assert ran.document["verdicts"]["borderline"] == 1
    log = cli("governance", "log", "--repo", str(frozen), "--json").document
    (decision,) = log["decisions"]
    assert decision["reason_codes"][0] == "freeze"
    held: str = decision["subject"]
    return held


def test_ctrl_c_ends_it_cleanly_and_the_rest_can_be_done_later(
    root: Path, scripted: Callable
) -> None:
    made = scripted("ferry")
    made.commit("One", {"fares.py": FARES})
    made.write({"notes.txt": "mine"})
    before = made.git("status", "--porcelain")
    line = [sys.executable, "-c", _INTERRUPTED, "run", str(made.folder)]
    ran = subprocess.run(
        [*line, "--executions", "2000", "--stage", "A", "--json"],
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
