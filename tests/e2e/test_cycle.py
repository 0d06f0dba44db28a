"""Whole cycles on small repositories, through the command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.bootstrap.cycles import Cycle
from reverie.errors import Refused
from reverie.promotion.scratch import held_alone

SHOP = '''
def price(count: int, each: int, coupon: str = "") -> int:
    """What a number of things costs together."""
    if count < 0:
        raise ValueError("no negative counts")
    total = count * each
    if coupon == "HALF":
        total //= 2
    elif count > 10:
        total -= each
    return total
'''
SUITE = "from shop import price\n\n\ndef test_one():\n    assert price(1, 5) == 5\n"
BROKEN = SUITE + "\n\ndef test_wrong():\n    assert price(1, 5) == 6\n"
BUDGET = ("--executions", "150", "--seed", "3")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_a_cycle_promotes_and_touches_nothing(cli: Callable, scripted: Callable) -> None:
    made = scripted("shop")
    made.commit("One", {"shop.py": SHOP, "tests/test_shop.py": BROKEN})
    made.write({"notes.txt": "mine"})
    before = (made.git("status", "--porcelain"), made.git("rev-parse", "HEAD"))
    ran = cli("run", str(made.folder), *BUDGET, "--json")
    assert ran.code == 0, ran.err
    document = ran.document
    assert document["baseline"]["failing"] == ["tests/test_shop.py::test_wrong"]
    assert document["verdicts"]["promote"] == len(document["promotions"]) == 1
    (promotion,) = document["promotions"]
    files = made.git("diff", "--name-only", f"main..{promotion['branch']}")
    assert files.startswith("tests/")
    assert list(Path(promotion["bundle"]).iterdir())
    assert (made.git("status", "--porcelain"), made.git("rev-parse", "HEAD")) == before
    assert Path(document["report"]).read_text().startswith("<!doctype html>")
    assert document["result"]["failing"] == document["baseline"]["failing"]
    again = cli("run", str(made.folder), *BUDGET, "--json").document
    assert (again["dreams"], again["promotions"]) == (0, [])
    assert again["steps"] == {"skipped": 1}
    where = ("--repo", str(made.folder), "--json")
    (decision,) = cli("governance", "log", *where).document["decisions"]
    assert (decision["subject"], decision["verdict"]) == (promotion["dream_id"], "promote")
    told = cli("forecast", "shop", *where).document
    assert told["history"] == [pytest.approx(promotion["roi"])], "a cycle is recorded once"
    by_kind = cli("score", "test", "--by", "kind", *where).document
    assert by_kind["total"] == pytest.approx(promotion["roi"])


def test_a_rule_of_the_owner_holds_a_promotion_back(cli: Callable, scripted: Callable) -> None:
    made = scripted("shop")
    rules = '[[rule]]\nname = "r"\nwhen = "files > 0"\nverdict = "hold"\nreason = "freeze"\n'
    settings = '[tool.reverie.governance]\nrules = "rules.toml"\n'
    made.commit(
        "One",
        {"shop.py": SHOP, "test_shop.py": SUITE, "rules.toml": rules, "pyproject.toml": settings},
    )
    ran = cli("run", str(made.folder), *BUDGET, "--json")
    assert (ran.code, ran.document["promotions"]) == (0, []), ran.err
    assert ran.document["verdicts"]["borderline"] == 1
    (decision,) = cli("governance", "log", "--repo", str(made.folder), "--json").document[
        "decisions"
    ]
    assert decision["reason_codes"][0] == "freeze"


def test_a_dry_run_shows_the_plan_and_writes_nothing(cli: Callable, scripted: Callable) -> None:
    made = scripted("shop")
    made.commit("One", {"shop.py": SHOP, "test_shop.py": SUITE})
    document = cli("run", str(made.folder), *BUDGET, "--dry-run", "--json").document
    (step,) = document["steps"]
    assert (step["module"], step["state"]) == ("shop", "planned")
    assert step["allowance"]["executions"] == 150
    assert not (made.folder / ".reverie").exists()


def test_nothing_to_recover_is_said(cli: Callable, scripted: Callable) -> None:
    made = scripted("shop")
    made.commit("One", {"shop.py": SHOP})
    ran = cli("run", str(made.folder), "--recover")
    assert (ran.code, ran.out) == (2, "")
    assert "no cycle of" in ran.err


@pytest.mark.parametrize(
    "line",
    [("--stage", "D"), ("--recover", "--fresh"), ("--executions", "0"), ("--budget", "soon")],
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
