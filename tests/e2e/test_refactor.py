"""`reverie refactor` from code that is hard to read to a proven patch."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
LABELS = '''\
def make_label(depot: str, number: int) -> str:
    """Write a label such as "BER-0042"."""
    if number < 0:
        raise ValueError("a number is never negative")
    return f"{depot.upper()}-{number:04d}"
'''
TEST = """\
from shop.rows import names


def test_names():
    assert names([" a ", "", "b"]) == ["a", "b"]
    assert names([]) == []
"""


@pytest.fixture
def reverie(cli: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a command in the folder of the test."""
    monkeypatch.chdir(tmp_path)
    return cli


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
    for line in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "base")):
        git(tmp_path, *line)
    return tmp_path


def git(folder: Path, *line: str) -> str:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *line]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def test_a_file_by_itself_is_compared_and_its_tests_are_owed(
    reverie: Callable[..., Any], alone: Path
) -> None:
    done = reverie("refactor", "rows.py:names", "--budget", "60s", "--json")
    assert done.code == 0, done.out + done.err
    found = done.document
    best = next(each for each in found["dreams"] if each["id"] == found["best"])
    assert (best["pattern"], best["verdict"]) == ("comprehension", "promote")
    assert best["equivalence"]["verdict"] == "equivalent"
    assert best["needs"] == ["the tests of its repository (reverie guard)"]
    assert found["source"] == SHORT
    assert (alone / "rows.py").read_text() == NAMES


def test_a_repository_with_tests_asks_all_of_stage_b(
    reverie: Callable[..., Any], shop: Path
) -> None:
    done = reverie("refactor", "src", "--budget", "120s", "--json")
    assert done.code == 0, done.out + done.err
    found = done.document
    assert found["has_suite"]
    (dream,) = (each for each in found["dreams"] if each["pattern"] == "comprehension")
    assert dream["verdict"] == "promote", dream["rulings"]
    gates = {each["gate"] for each in dream["rulings"]}
    assert {"paths", "surface", "suite", "watch", "equivalence", "mutation", "ratchet"} <= gates
    assert dream["needs"] == []


def test_a_cycle_promotes_refactorings_on_top_of_its_tests(
    reverie: Callable[..., Any], shop: Path
) -> None:
    (shop / "src/shop/labels.py").write_text(LABELS)
    (shop / "src/shop/__init__.py").write_text("from shop.labels import make_label as make_label\n")
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "labels")
    done = reverie("run", "--budget", "300s", "--json")
    assert done.code == 0, done.out + done.err
    found = done.document
    kinds = [each["kind"] for each in found["promotions"]]
    assert kinds.index("test") < kinds.index("refactor"), kinds
    assert kinds[-1] == "refactor"
    assert {each["branch"] for each in found["promotions"]} == {found["branch"]}
    commits = [each["commit"] for each in found["promotions"]]
    assert git(shop, "rev-list", "--reverse", f"main..{found['branch']}").split() == commits
    assert git(shop, "show", f"{found['branch']}:src/shop/rows.py") == SHORT
    assert git(shop, "status", "--porcelain") == ""
    again = reverie("run", "--budget", "300s", "--json").document
    assert (again["promotions"], set(again["steps"])) == ([], {"skipped"}), "nothing is left to do"


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
