"""`reverie guard` on real repositories, through the command line."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CODE = '''"""Prices."""


def price(count: int) -> int:
    """Two each, and nothing below zero."""
    if count < 0:
        raise ValueError("count")
    return 2 * count
'''
TEST = "from shop import price\n\n\ndef test_two():\n    assert price(2) == 4\n"
HONEST = """import pytest

from shop import price


def test_price_of_nothing():
    assert price(0) == 0


def test_no_debts():
    with pytest.raises(ValueError):
        price(-1)
"""


def git(folder: Path, *arguments: str) -> None:
    line = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(line, cwd=folder, check=True, capture_output=True)


Judged = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def judged(cli: Callable) -> Judged:
    def judge(*arguments: str) -> tuple[int, dict[str, Any]]:
        ran = cli("guard", *arguments, "--json")
        assert ran.out, ran.err
        return ran.code, ran.document

    return judge


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(CODE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text(TEST)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "base")
    return tmp_path


def test_honest_tests_are_promoted_and_not_blamed_for_those_that_failed_before(
    judged: Judged, shop: Path
) -> None:
    (shop / "tests" / "test_old.py").write_text("def test_old():\n    assert False\n")
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "a failing test")
    (shop / "tests" / "test_more.py").write_text(HONEST)
    code, document = judged("--stage", "A")
    assert (code, document["verdict"]) == (0, "promote"), document["rulings"]
    assert document["measures"]["mutants.killed_by_assertion"] >= 1
    assert document["measures"]["tests.passed_runs"] == 5
    assert document["measures"]["suite.failing_before"] == 1
    assert (shop / "tests" / "test_more.py").read_text() == HONEST


def test_a_repository_without_tests_can_get_its_first(judged: Judged, shop: Path) -> None:
    git(shop, "rm", "-q", "tests/test_shop.py")
    git(shop, "commit", "-qm", "no tests")
    (shop / "tests").mkdir(exist_ok=True)
    (shop / "tests" / "test_more.py").write_text(HONEST)
    code, document = judged("--stage", "A")
    assert (code, document["verdict"]) == (0, "promote"), document["rulings"]


def test_two_revisions_and_a_patch_are_judged_alike(judged: Judged, shop: Path) -> None:
    (shop / "tests" / "test_more.py").write_text(
        "from shop import price\n\n\ndef test_a():\n    price(1)\n"
    )
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "head")
    patch = shop / "change.diff"
    shown = subprocess.run(
        ["git", "diff", "HEAD~1", "HEAD"], cwd=shop, check=True, capture_output=True
    )
    patch.write_bytes(shown.stdout)
    by_revision = judged("--base", "HEAD~1", "--head", "HEAD", "--stage", "A")
    by_patch = judged("--base", "HEAD~1", "--patch", str(patch), "--stage", "A")
    assert by_revision[0] == by_patch[0] == 1
    for document in (by_revision[1], by_patch[1]):
        assert document["verdict"] == "reject"
        assert "no_assertion" in [each["reason_code"] for each in document["rulings"]]


def test_static_runs_nothing_and_promotes_nothing(judged: Judged, shop: Path) -> None:
    (shop / "tests" / "test_more.py").write_text(HONEST)
    code, document = judged("--stage", "A", "--static")
    assert (code, document["verdict"], document["measures"]) == (1, "borderline", {})


def test_nothing_changed_is_not_promoted(judged: Judged, shop: Path) -> None:
    code, document = judged("--stage", "B")
    assert (code, document["verdict"]) == (1, "borderline")


def test_stage_d_is_never_promoted(judged: Judged, shop: Path) -> None:
    (shop / "tests" / "test_more.py").write_text(HONEST)
    code, document = judged("--stage", "D")
    assert (code, document["rulings"][0]["reason_code"]) == (1, "never_promoted")


@pytest.mark.parametrize("form", ["text", "markdown", "sarif"])
def test_other_forms_say_the_same(cli: Callable, shop: Path, form: str) -> None:
    (shop / "shop.py").write_text(CODE.replace("price(count", "price(amount"))
    ran = cli("guard", "--stage", "B", "--static", "--format", form)
    assert ran.code == 1
    assert "api_changed" in ran.out.replace("\\", "")
    if form == "sarif":
        assert ran.document["runs"][0]["results"][0]["ruleId"] == "api_changed"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--stage", "E"), "'E'"),
        (("--stage", "A", "--base", "nowhere"), "'nowhere'"),
        (("--stage", "A", "--patch", "none.diff"), "none.diff"),
        (("--stage", "A", "--head", "HEAD", "--patch", "x"), "--patch"),
        (("--stage", "A", "--budget", "soon"), "soon"),
    ],
)
def test_a_wrong_question_is_one_line(
    cli: Callable, shop: Path, arguments: tuple[str, ...], named: str
) -> None:
    ran = cli("guard", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert named in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_a_change_of_anybody_is_held_to_declared_workflows(judged: Judged, shop: Path) -> None:
    with (shop / "pyproject.toml").open("a") as file:
        file.write(
            '\n[tool.reverie.workflows.sale]\nsteps = ["shop:price"]\nparams = {count = 7}\n'
        )
    git(shop, "commit", "-qam", "a workflow")
    (shop / "shop.py").write_text(CODE.replace("2 * count", "2 * count + (count == 7)"))
    git(shop, "commit", "-qam", "a refactoring")
    code, document = judged("--base", "HEAD~1", "--head", "HEAD", "--stage", "B")
    (said,) = (each for each in document["rulings"] if each["gate"] == "workflows")
    assert (code, said["reason_code"]) == (1, "workflow_changed")
    assert "14 before, 15 now" in said["reason"]
