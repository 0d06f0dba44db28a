"""`reverie optimise` from the text of a slow function to a proven patch."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SLOW = '''\
def distinct(names: list[str]) -> list[str]:
    """The names without repeats, first ones kept."""
    kept = []
    for name in names:
        if name not in kept:
            kept.append(name)
    return kept
'''


def optimise(file: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "reverie", "optimise", *arguments]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True)


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    file = tmp_path / "slow.py"
    file.write_text(SLOW)
    return file


def test_a_quadratic_function_is_made_linear_and_proven(slow: Path) -> None:
    done = optimise(slow, "slow.py:distinct", "--budget", "120s", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    best = next(each for each in found["dreams"] if each["id"] == found["best"])
    assert best["verdict"] == "promote"
    assert best["equivalence"]["verdict"] == "equivalent"
    assert best["speedup"]["p50"] > 2
    assert best["growth"]["after"] < best["growth"]["before"]
    assert "set()" in found["source"]
    assert slow.read_text() == SLOW


def test_what_cannot_be_hashed_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "rows.py"
    file.write_text(SLOW.replace("list[str]", "list[list]"))
    done = optimise(file, "rows.py:distinct", "--json")
    found = json.loads(done.stdout) if done.stdout else {"best": None}
    assert found["best"] is None
    assert done.returncode in (1, 2)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("nothing.py:f",), "nothing.py"),
        (("slow.py",), "slow.py"),
        (("slow.py:distinct", "--budget", "soon"), "soon"),
        (("slow.py:absent",), "absent"),
    ],
)
def test_a_wrong_question_is_one_line(
    cli: Callable,
    slow: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    named: str,
) -> None:
    monkeypatch.chdir(slow.parent)
    ran = cli("optimise", *arguments)
    assert ran.code == 2
    assert named in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_where_no_pattern_fits_nothing_has_to_be_proven(
    cli: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(sandbox: object) -> None:
        raise AssertionError("nothing is measured")

    monkeypatch.setattr("reverie.interfaces.cli.commands.optimise.Proofs", refuse)
    file = tmp_path / "plain.py"
    file.write_text("def one() -> int:\n    return 1\n")
    ran = cli("optimise", f"{file}:one", "--json", "--repo", str(tmp_path))
    assert (ran.code, ran.document["note"]) == (1, "no known pattern fits")
