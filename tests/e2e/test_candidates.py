"""`reverie candidates` on repositories with a past, and everything recomputed from what it says."""

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CORE = """\
def price(amount, rate):
    if amount < 0:
        raise ValueError(amount)
    if rate > 1:
        return amount
    return amount * rate


def total(items):
    found = 0
    for item in items:
        if item:
            found += price(*item)
    return found
"""
PLAIN = "def plain(x):\n    return x\n"
TEST = """\
from shop.core import price


def test_price():
    assert price(2, 0.5) == 1
"""


@pytest.fixture
def shop(scripted: Callable) -> Any:
    """A repository with fixes, a revert, a bot, a formatter, a rename and two authors."""
    made = scripted("shop")
    made.commit(
        "Begin",
        {
            "src/shop/__init__.py": "",
            "src/shop/prices.py": CORE,
            "src/shop/plain.py": PLAIN,
            "src/shop/api_pb2.py": "def made(): ...\n",
            "src/shop/_vendor/lib.py": PLAIN,
            "src/shop/broken.py": "def f(:\n",
            "tests/test_core.py": TEST,
            "pyproject.toml": "[project]\nname = 'shop'\n",
        },
    )
    made.git("mv", "src/shop/prices.py", "src/shop/core.py")
    made.commit("Call it what it is", day=100)
    made.commit("Fix a wrong total", {"src/shop/core.py": CORE + "# 1\nx = 1\n"}, day=200)
    made.commit('Revert "Fix a wrong total"', {"src/shop/core.py": CORE}, day=250, author="Bob")
    bumped = {"src/shop/core.py": CORE + "x = 2\n"}
    made.commit("Bump", bumped, day=260, author="dependabot[bot]")
    spaced = CORE.replace("amount * rate", "( amount*rate )")
    made.commit("Reformat", {"src/shop/core.py": spaced + "x = 2\n"}, day=300)
    huge = made.commit("Reorder", {"src/shop/core.py": spaced + "x = 3\n"}, day=350)
    made.commit("Ignore it", {".git-blame-ignore-revs": f"# noise\n{huge}\n"}, day=360)
    return made


def test_every_factor_can_be_recomputed_from_the_document(cli: Callable, shop: Any) -> None:
    ran = cli("candidates", str(shop.folder), "--json")
    assert ran.code == 0
    document = ran.document
    assert document["formula"] == "value = change * fault * spread * untested * complexity"
    assert [each["file"] for each in document["candidates"]] == [
        "src/shop/core.py",
        "src/shop/plain.py",
    ]
    for each in document["candidates"]:
        recompute(document, each)


def recompute(document: dict[str, Any], each: dict[str, Any]) -> None:
    """By hand, from the document alone: ages to weights, weights to factors, factors to value."""
    factors, history = each["factors"], each["history"]
    weights = [0.5 ** (t["age_days"] / document["half_life_days"]) for t in history["touches"]]
    faulty = [t["is_fix"] or t["is_revert"] for t in history["touches"]]
    authors = [t["author"] for t in history["touches"]]
    churn = sum(weights)
    good, bad = document["fault_prior"]
    faults = sum(weight for weight, is_faulty in zip(weights, faulty, strict=True) if is_faulty)
    main = max(authors.count(name) for name in authors) / len(authors)
    assert history["weighted_commits"] == pytest.approx(churn)
    assert history["weighted_faults"] == pytest.approx(faults)
    assert factors["change"] == pytest.approx(document["change_prior"] + churn)
    assert factors["fault"] == pytest.approx((good + faults) / (good + bad + churn))
    assert factors["spread"] == pytest.approx(2 - main)
    assert factors["complexity"] == pytest.approx(math.log2(1 + each["complexity"]["total"]))
    if each["coverage"] is None:
        assert factors["untested"] is None
    else:
        covered, missed = each["coverage"]["executed"], each["coverage"]["missing"]
        assert factors["untested"] == pytest.approx(missed / (covered + missed))
        assert each["coverage_score"] == int(100 * covered / (covered + missed))
    product = math.prod(factor for factor in factors.values() if factor is not None)
    assert each["value"] == pytest.approx(product)


def test_what_counts_as_a_change_and_what_does_not(cli: Callable, shop: Any) -> None:
    core, plain = cli("candidates", str(shop.folder), "--json").document["candidates"]
    history = core["history"]
    assert [t["age_days"] for t in history["touches"]] == [110, 160, 360]
    assert history["passed_over"] == {"bot": 1, "formatting": 2, "ignored revision": 1}
    assert (history["commits"], history["fixes"], history["reverts"]) == (3, 2, 1)
    assert (history["authors"], history["main_author_share"]) == (2, 2 / 3)
    assert core["factors"]["spread"] == 2 - 2 / 3
    assert plain["history"]["commits"] == 1


def test_what_is_no_candidate_is_listed_with_its_reason(cli: Callable, shop: Any) -> None:
    excluded = cli("candidates", str(shop.folder), "--json").document["excluded"]
    assert {(each["path"], each["reason"]) for each in excluded} == {
        ("src/shop/__init__.py", "no functions"),
        ("src/shop/_vendor/lib.py", "vendored"),
        ("src/shop/api_pb2.py", "generated"),
        ("src/shop/broken.py", "not parsed"),
        ("tests/test_core.py", "test"),
    }
    assert all(each["detail"] for each in excluded)


def test_the_same_repository_gives_the_same_document_again_and_elsewhere(
    cli: Callable, shop: Any, tmp_path: Path
) -> None:
    first = cli("candidates", str(shop.folder), "--json").out
    assert cli("candidates", str(shop.folder), "--json").out == first
    copy = tmp_path / "copy"
    shop.git("clone", "-q", str(shop.folder), str(copy))
    second = cli("candidates", str(copy), "--json").out
    assert second.replace(str(copy), str(shop.folder)) == first


def test_settings_decide_what_counts(cli: Callable, shop: Any) -> None:
    line = ("candidates", str(shop.folder), "--json", "--half-life-days", "50")
    environ = {
        "REVERIE_CANDIDATES_BOTS": "nobody",
        "REVERIE_CANDIDATES_IGNORE_FORMATTING": "no",
        "REVERIE_CANDIDATES_IGNORE_REVS_FILE": "nothing",
        "REVERIE_CANDIDATES_EXCLUDE": "src/shop/plain.py",
    }
    document = cli(*line, environ=environ).document
    (core,) = document["candidates"]
    assert core["history"]["commits"] == 7
    assert core["history"]["passed_over"] == {}
    recompute(document, core)
    assert "setting" in {each["reason"] for each in document["excluded"]}


def test_a_suite_that_is_measured_in_the_sandbox_gives_the_share_that_is_untested(
    cli: Callable, shop: Any
) -> None:
    ran = cli("candidates", str(shop.folder), "--measure", "--json")
    assert ran.code == 0, ran.err
    core = next(e for e in ran.document["candidates"] if e["file"] == "src/shop/core.py")
    assert core["coverage"] == {
        "executed": 6,
        "missing": 7,
        "branches_covered": None,
        "branches_total": None,
    }
    assert ran.document["coverage_source"] == "measured"
    recompute(ran.document, core)
    assert shop.git("status", "--porcelain") == ""
    plain = next(e for e in ran.document["candidates"] if e["file"] == "src/shop/plain.py")
    assert plain["factors"]["untested"] == 1, "nothing ran it"
    assert ran.document["notes"] == []


def test_a_suite_that_cannot_be_measured_is_an_answer_of_no(
    cli: Callable, scripted: Callable
) -> None:
    made = scripted()
    hostile = "import os\n\n\ndef test_x():\n    os._exit(0)\n"
    made.commit("One", {"a.py": PLAIN, "test_a.py": hostile})
    ran = cli("candidates", str(made.folder), "--measure", "--json")
    assert ran.code == 1
    assert any("the suite could not be measured" in note for note in ran.document["notes"])
    assert ran.document["candidates"][0]["factors"]["untested"] is None


def test_a_failing_suite_is_measured_all_the_same(cli: Callable, scripted: Callable) -> None:
    made = scripted()
    failing = "import a\n\n\ndef test_x():\n    assert a.plain(1) == 2\n"
    made.commit("One", {"a.py": PLAIN, "test_a.py": failing})
    ran = cli("candidates", str(made.folder), "--measure", "--json")
    assert ran.code == 0
    assert ran.document["candidates"][0]["coverage_score"] == 100
    assert "the suite was measured, but pytest ended with 1" in ran.document["notes"]


def test_options_of_the_repository_that_cannot_be_followed_do_not_stop_the_measurement(
    cli: Callable, scripted: Callable
) -> None:
    made = scripted()
    test = "import a\n\n\ndef test_x():\n    a.plain(1)\n"
    ini = "[pytest]\naddopts = --cov=a --cov-fail-under=100 --nonsense\n"
    broken = "import nowhere\n"
    files = {"a.py": PLAIN, "test_a.py": test, "test_b.py": broken, "pytest.ini": ini}
    made.commit("One", files)
    ran = cli("candidates", str(made.folder), "--measure", "--json")
    assert ran.code == 0
    assert ran.document["candidates"][0]["coverage_score"] == 100
    assert "the suite was measured, but pytest ended with 1" in ran.document["notes"]


def report(lines: dict[str, tuple[list[int], list[int]]]) -> str:
    files = {
        name: {"executed_lines": executed, "missing_lines": missing}
        for name, (executed, missing) in lines.items()
    }
    return json.dumps({"files": files})


def test_coverage_that_lies_in_the_repository_is_used_and_stale_parts_are_not(
    cli: Callable, shop: Any
) -> None:
    shop.write(
        {
            "coverage.json": report(
                {"src/shop/core.py": ([1, 9999], [2]), "src/shop/plain.py": ([1], [2])}
            )
        }
    )
    document = cli("candidates", str(shop.folder), "--json").document
    by_file = {each["file"]: each for each in document["candidates"]}
    assert by_file["src/shop/core.py"]["factors"]["untested"] is None
    assert by_file["src/shop/plain.py"]["factors"]["untested"] == 0.5
    assert document["coverage_source"] == "coverage.json"
    stale = "stale coverage, of lines that are no longer there, is not used: src/shop/core.py"
    assert stale in document["notes"]
    for each in document["candidates"]:
        recompute(document, each)


def test_a_broken_file_that_nobody_asked_for_is_a_note_and_one_asked_for_is_an_error(
    cli: Callable, shop: Any
) -> None:
    shop.write({"coverage.xml": "<html/>"})
    ran = cli("candidates", str(shop.folder), "--json")
    assert ran.code == 0
    assert any("passed over" in note for note in ran.document["notes"])
    broken = str(shop.folder / "coverage.xml")
    ran = cli("candidates", str(shop.folder), "--coverage", broken)
    assert (ran.code, ran.out) == (2, "")
    assert broken in ran.err
    assert cli("candidates", "--coverage", broken, "--measure").code == 2


def test_without_git_it_ranks_by_what_is_left_and_says_so(cli: Callable, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "core.py").write_text(CORE)
    (tmp_path / "plain.py").write_text(PLAIN)
    ran = cli("candidates", str(tmp_path), "--json")
    assert ran.code == 0
    assert [each["file"] for each in ran.document["candidates"]] == ["core.py", "plain.py"]
    assert ran.document["head"] is None
    assert ran.document["candidates"][0]["history"] is None
    notes = ran.document["notes"]
    assert "not a git repository: change, fault and spread are not known" in notes
    assert any(note.startswith("no coverage") for note in notes)


def test_without_the_program_it_says_that(
    cli: Callable, shop: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", f".:{tmp_path}")
    (shop.folder / "git").write_text("#!/bin/sh\ntouch evil\n")
    (shop.folder / "git").chmod(0o755)
    monkeypatch.chdir(shop.folder)
    ran = cli("candidates", "--json")
    assert ran.code == 0
    assert "git is not installed: change, fault and spread are not known" in ran.document["notes"]
    assert not (shop.folder / "evil").exists()


def test_a_bare_repository_has_nothing_to_rank(cli: Callable, shop: Any, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shop.git("clone", "-q", "--bare", str(shop.folder), str(bare))
    ran = cli("candidates", str(bare), "--json")
    assert (ran.code, ran.document["candidates"]) == (0, [])
    assert "a bare repository has a past, but no files" in ran.document["notes"]


def test_an_empty_repository_is_no_error(cli: Callable, scripted: Callable) -> None:
    ran = cli("candidates", str(scripted().folder), "--json")
    assert ran.code == 0
    assert ran.document["candidates"] == []
    assert ran.document["notes"] == [
        "no commits yet: change, fault and spread are not known",
        "no Python module that a test could be written for",
    ]


@pytest.mark.parametrize("depth", [1, 4])
def test_a_shallow_clone_is_said(cli: Callable, shop: Any, tmp_path: Path, depth: int) -> None:
    shallow = tmp_path / "shallow"
    shop.git("clone", "-q", f"--depth={depth}", f"file://{shop.folder}", str(shallow))
    document = cli("candidates", str(shallow), "--json").document
    assert any(note.startswith("shallow clone") for note in document["notes"])
    has_changes = depth > 1
    assert (document["candidates"][0]["history"] is not None) is False or has_changes
    if not has_changes:
        assert "no commit counts: change, fault and spread are not known" in document["notes"]


def test_the_list_of_the_document_is_written_as_it_shows_it(
    cli: Callable, shop: Any, tmp_path: Path
) -> None:
    target = tmp_path / "evolve_candidates.json"
    ran = cli("candidates", str(shop.folder), "--top", "1", "--write", str(target))
    assert ran.code == 0
    assert "1 of 2 modules; no candidates: 5" in ran.out
    (row,) = json.loads(target.read_text())
    assert row == {"file": "src/shop/core.py", "coverage_score": None, "lines": 15}
    missing = str(tmp_path / "no" / "folder.json")
    assert cli("candidates", str(shop.folder), "--write", missing).code == 2


def test_hostile_names_do_not_reach_the_terminal(cli: Callable, scripted: Callable) -> None:
    made = scripted()
    name = "evil\x1b[31m.py"
    (made.folder / name).write_text(PLAIN)
    (made.folder / os.fsdecode(b"\xff.py")).write_text(PLAIN)
    made.commit("One\x1b[31m")
    ran = cli("candidates", str(made.folder))
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert len(cli("candidates", str(made.folder), "--json").document["candidates"]) == 2


def test_our_own_past_ranks_the_same_twice(cli: Callable, root: Path) -> None:
    rooms = ["dreamers", "interfaces", "instruments", "sandbox", "store", "model", "workflows"]
    passed_over = ["tests", "benchmarks", *(f"/src/reverie/{each}" for each in rooms)]
    environ = {
        "REVERIE_CANDIDATES_MAX_COMMITS": "100",
        "REVERIE_INDEX_EXCLUDE": ",".join(passed_over),
    }
    line = ("candidates", str(root), "--json", "--top", "20")
    first = cli(*line, environ=environ)
    assert first.code == 0
    for each in first.document["candidates"]:
        if each["history"] is not None and each["history"]["touches"]:
            recompute(first.document, each)
    assert cli(*line, environ=environ).out == first.out
