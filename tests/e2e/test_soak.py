"""Short forms of the soak and of the kill test, and proof that their instrument sees a leak."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from benchmarks.soak.growth import Standing, judge

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


def standings(**grown: Callable[[int], float]) -> list[Standing]:
    """A hundred cycles in which only what is named grows."""
    names = [each.name for each in fields(Standing)]
    flat = {"rss_mb": 74.4, "branches": 2, "bundles": 6, "promotions": 6}
    return [
        Standing(**{
            **dict.fromkeys(names, 5),
            **flat,
            "cycle": number,
            "rss_mb": 74.4 + 0.3 * (number % 7 == 3),
            **{name: of(number) for name, of in grown.items()},
        })
        for number in range(1, 101)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("rss_mb", lambda number: 74 + 0.05 * number),
        ("descriptors", lambda number: 6 + number // 10),
        ("threads", lambda number: 1 + number // 20),
        ("temporary", lambda number: number),
        ("files", lambda number: 30 + number // 5),
        ("worktrees", lambda number: 1 + number // 20),
        ("branches", lambda number: 1 + number),
        ("bundles", lambda number: 7 * number),
    ],
)
def test_the_judge_of_cycles_sees_what_grows(name: str, of: Callable[[int], float]) -> None:
    assert list(judge(standings(**{name: of})).grown) == [name]


def test_the_judge_of_cycles_lets_unrest_and_the_journal_pass() -> None:
    restless = {
        "rss_mb": lambda number: (80 if number < 15 else 74.4) + (number % 5) * 0.2,
        "descriptors": lambda number: 6 + number % 3,
        "journal_kb": lambda number: 400 + 17 * number,
    }
    judged = judge(standings(**restless))
    assert judged.grown == {}
    assert judged.journal_kb_per_cycle == pytest.approx(17)


def test_short_cycles_leave_nothing_behind(root: Path, tmp_path: Path) -> None:
    found = document(root, tmp_path, "benchmarks.soak.cycles", "--count", "3")
    assert found["grown"] == {}
    # Newest first, the last change that is taken back takes its branch along.
    assert [each["branches"] for each in found["standings"]] == [2, 2, 1]


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
    found = document(root, tmp_path, "benchmarks.soak.kill", "--times", "6", "--seed", "7")
    assert sum(found["kills"].values()) == 6
    assert found["alive_when_killed"]["processes"] > 6
    assert found["flushed_rows_found"] > 0
