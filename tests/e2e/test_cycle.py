"""Whole cycles on small repositories, through the command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ScriptedRepository

from reverie.bootstrap.cycles import Cycle
from reverie.errors import Refused
from reverie.promotion.scratch import held_alone

SHOP = '''
def price(count: int, each: int) -> int:
    """What a number of things costs together."""
    if count < 0:
        raise ValueError("no negative counts")
    total = count * each
    return total
'''
SUITE = "from shop import price\n\n\ndef test_one():\n    assert price(1, 5) == 5\n"
CASES = """import time
import unittest

from shop import price


class TestPrice(unittest.TestCase):
    def test_one(self):
        time.sleep(0.2)
        self.assertEqual(price(1, 5), 5)

    def test_wrong(self):
        self.assertEqual(price(1, 5), 6)
"""
BUDGET = ("--executions", "20", "--seed", "3", "--stage", "A")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_cycles_promote_until_nothing_is_left_and_touch_nothing(
    cli: Callable, scripted: Callable
) -> None:
    """Of cases of `unittest`, a slow one and a wrong one, without an environment of their own."""
    made = scripted("shop")
    made.commit("One", {"shop.py": SHOP, "tests/__init__.py": "", "tests/test_all.py": CASES})
    made.write({"notes.txt": "mine"})
    before = (made.git("status", "--porcelain"), made.git("rev-parse", "HEAD"))
    line = ("--stage", "A", "--cycles", "3", "--open-pr", "--json")
    ran = cli("run", str(made.folder), *BUDGET, *line)
    assert ran.code == 0, ran.err
    assert (made.git("status", "--porcelain"), made.git("rev-parse", "HEAD")) == before
    (first,) = ran.document["earlier"]
    assert first["baseline"]["passed"] == 1
    assert first["baseline"]["failing"] == ["tests/test_all.py::TestPrice::test_wrong"]
    assert first["result"]["failing"] == first["baseline"]["failing"]
    about_python, about_proof = first["environment"]["notes"]
    assert "no virtual environment" in about_python
    assert "were not run once more in a fresh environment" in about_proof
    assert first["verdicts"]["promote"] == len(first["promotions"]) == 1
    (promotion,) = first["promotions"]
    _check_offered(made, promotion)
    assert Path(first["report"]).read_text().startswith("<!doctype html>")
    assert "reverie verify" in Path(first["request"]["file"]).read_text()
    assert ran.document["request"] is None, "nothing was promoted the second time"
    assert (ran.document["dreams"], ran.document["promotions"]) == (0, [])
    assert ran.document["steps"] == {"skipped": 1}, "the second of three found nothing left to do"
    where = ("--repo", str(made.folder), "--json")
    (decision,) = cli("governance", "log", *where).document["decisions"]
    assert (decision["subject"], decision["verdict"]) == (promotion["dream_id"], "promote")
    told = cli("forecast", "shop", *where).document
    assert told["history"] == [pytest.approx(promotion["roi"])], "a cycle is recorded once"
    by_kind = cli("score", "test", "--by", "kind", *where).document
    assert by_kind["total"] == pytest.approx(promotion["roi"])


def _check_offered(made: ScriptedRepository, promotion: Mapping[str, Any]) -> None:
    """A branch with one new file of tests, in the manner of those that are there."""
    branch = promotion["branch"]
    assert made.git("diff", "--name-only", f"main..{branch}") == "tests/test_shop.py"
    new = made.git("show", f"{branch}:tests/test_shop.py")
    assert "(unittest.TestCase):" in new
    assert "pytest" not in new
    assert list(Path(promotion["bundle"]).iterdir())


def test_a_dry_run_shows_the_plan_and_writes_nothing(cli: Callable, scripted: Callable) -> None:
    made = scripted("shop")
    made.commit("One", {"shop.py": SHOP, "test_shop.py": SUITE})
    document = cli("run", str(made.folder), *BUDGET, "--stage", "A", "--dry-run", "--json").document
    (step,) = document["steps"]
    assert (step["module"], step["state"]) == ("shop", "planned")
    assert step["allowance"]["executions"] == 20
    assert not (made.folder / ".reverie").exists()


def test_nothing_to_recover_is_said(cli: Callable, scripted: Callable) -> None:
    made = scripted("shop")
    made.commit("One", {"shop.py": SHOP})
    ran = cli("run", str(made.folder), "--recover")
    assert (ran.code, ran.out) == (2, "")
    assert "no cycle of" in ran.err


@pytest.mark.parametrize(
    "line",
    [("--stage", "E"), ("--recover", "--fresh"), ("--executions", "0"), ("--budget", "soon")],
)
def test_wrong_wishes_are_refused(cli: Callable, repository: Path, line: tuple[str, ...]) -> None:
    ran = cli("run", str(repository), *line)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert not (repository / ".reverie").exists()


def test_a_report_without_a_cycle_is_refused(cli: Callable, repository: Path) -> None:
    assert cli("report", "--repo", str(repository)).code == 2
    (repository / ".reverie").mkdir()
    assert cli("report", "--repo", str(repository)).code == 2


def test_two_cycles_on_one_repository_do_not_meet(scripted: Callable) -> None:
    made = scripted("shop")
    made.commit("One", {"shop.py": SHOP})
    place = f"cycle {made.folder.resolve()}"
    with (
        held_alone(place, "a cycle", 0.0),
        pytest.raises(Refused, match="another process"),
    ):
        Cycle(made.folder, executions=10).run()
    assert not (made.folder / ".reverie").exists()


def test_killed_cycles_end_like_undisturbed_ones(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "figures.json"
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.soak.cycle", "--kills", "3", "--json", str(target)],
        cwd=root,
        env=dict(os.environ),
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    figures = json.loads(target.read_text())
    assert figures["kills"] >= 3
    assert len(figures["expected"]["commits"]) == len(figures["expected"]["bundles"]) == 6
