"""`reverie refactor` from code that is hard to read to a proven patch."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

NAMES = '''\
def names(rows: list[str]) -> list[str]:
    """Those that have one."""
    found = []
    for row in rows:
        if row:
            found.append(row.strip())
    return found
'''
SHORT = '''\
def names(rows: list[str]) -> list[str]:
    """Those that have one."""
    return [row.strip() for row in rows if row]
'''
TEST = """\
from shop.rows import names


def test_names():
    assert names([" a ", "", "b"]) == ["a", "b"]
    assert names([]) == []
"""


def reverie(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "reverie", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    (tmp_path / "rows.py").write_text(NAMES)
    return tmp_path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for path, text in {
        "pyproject.toml": "[project]\nname = 'shop'\nversion = '1'\n",
        "src/shop/__init__.py": "",
        "src/shop/rows.py": NAMES,
        "tests/test_rows.py": TEST,
    }.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    for line in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "base")):
        git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *line]
        subprocess.run(git, cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_a_file_by_itself_is_compared_and_its_tests_are_owed(alone: Path) -> None:
    done = reverie(alone, "refactor", "rows.py:names", "--budget", "60s", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    best = next(each for each in found["dreams"] if each["id"] == found["best"])
    assert (best["pattern"], best["verdict"]) == ("comprehension", "promote")
    assert best["equivalence"]["verdict"] == "equivalent"
    assert best["needs"] == ["the tests of its repository (reverie guard)"]
    assert found["source"] == SHORT
    assert (alone / "rows.py").read_text() == NAMES


def test_a_repository_with_tests_asks_all_of_stage_b(shop: Path) -> None:
    done = reverie(shop, "refactor", "src", "--budget", "120s", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["has_suite"]
    (dream,) = (each for each in found["dreams"] if each["pattern"] == "comprehension")
    assert dream["verdict"] == "promote", dream["rulings"]
    gates = {each["gate"] for each in dream["rulings"]}
    assert {"paths", "surface", "suite", "watch", "equivalence", "mutation", "ratchet"} <= gates
    assert dream["needs"] == []


def test_a_cycle_at_stage_b_promotes_refactorings(shop: Path) -> None:
    done = reverie(shop, "run", "--stage", "B", "--budget", "120s", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    (promotion,) = found["promotions"]
    assert promotion["kind"] == "refactor"
    shown = ["git", "show", f"{promotion['branch']}:src/shop/rows.py"]
    text = subprocess.run(shown, cwd=shop, check=True, capture_output=True, text=True).stdout
    assert text == SHORT
    status = ["git", "status", "--porcelain"]
    changed = subprocess.run(status, cwd=shop, check=True, capture_output=True, text=True).stdout
    assert changed == ""


@pytest.mark.parametrize(
    ("target", "named"),
    [
        ("nothing.py", "nothing.py"),
        ("rows.py:missing", "missing"),
        ("rows.py:a b", "a b"),
        ("rows.txt", "rows.txt"),
    ],
)
def test_bad_input_is_one_line_that_names_it(
    cli: Callable, alone: Path, monkeypatch: pytest.MonkeyPatch, target: str, named: str
) -> None:
    (alone / "rows.txt").write_text("")
    monkeypatch.chdir(alone)
    ran = cli("refactor", target)
    assert ran.code == 2
    assert named in ran.err
    assert len(ran.err.strip().splitlines()) == 1
