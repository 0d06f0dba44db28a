"""Short forms of the soak and of the kill test, and proof that their instrument sees a leak."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

_PLANT = """
import os, sys, time
from benchmarks.soak.residue import Surroundings, become_subreaper
from pathlib import Path
become_subreaper()
temporary = Path(sys.argv[1])
before = Surroundings.now(temporary)
assert not before.residue_of(os.getpid(), os.getpid())
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(30)
    os._exit(0)
os.wait()
(temporary / "left").touch()
found = before.residue_of(os.getpid(), os.getpid())
assert len(found.processes) == 1, found
assert found.files == (str(temporary / "left"),), found
os.kill(int(found.processes[0].split()[0]), 9)
"""


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=root, capture_output=True, text=True, timeout=600
    )


def document(root: Path, tmp_path: Path, *arguments: str) -> dict[str, Any]:
    target = tmp_path / "figures.json"
    ran = run(root, "-m", *arguments, "--json", str(target))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found: dict[str, Any] = json.loads(target.read_text("utf-8"))
    return found


def test_the_instrument_sees_an_orphan_and_a_file(root: Path, tmp_path: Path) -> None:
    ran = run(root, "-c", _PLANT, str(tmp_path))
    assert ran.returncode == 0, ran.stderr


def test_hostile_executions_leave_nothing_and_harm_nobody(root: Path, tmp_path: Path) -> None:
    found = document(
        root, tmp_path, "benchmarks.soak", "--executions", "300", "--hostile", "0.1", "--seed", "7"
    )
    assert found["executions"] == 300
    assert found["hostile"] > 10
    assert found["misjudged_good"] == found["implausible_hostile"] == 0


def test_a_killed_supervisor_leaves_nothing_and_loses_no_row(root: Path, tmp_path: Path) -> None:
    found = document(root, tmp_path, "benchmarks.soak.kill", "--times", "10", "--seed", "7")
    assert sum(found["kills"].values()) == 10
    assert found["alive_when_killed"]["processes"] > 10
    assert found["flushed_rows_found"] > 0
