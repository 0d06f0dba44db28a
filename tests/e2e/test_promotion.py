"""A dream judged by the real trial, offered, checked on another copy, and taken back."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.json_page import documented_keys, section

from reverie.bootstrap.guard import GuardQuestion, judge_change, read_change
from reverie.model.cycle import CycleBudget, CycleDream, CycleHeader, CycleState, CycleWishes, Trial
from reverie.model.dream import Dream, DreamKind, DreamStatus, Stage
from reverie.model.ruling import Verdict
from reverie.settings import load_settings
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter
from reverie.store.cycles.promotions import find_offered

CART = '''"""A cart."""


def due(price: int, count: int) -> int:
    """What a cart costs."""
    if count < 0:
        raise ValueError("negative count")
    return price * count
'''
TESTS = """import pytest

from cart import due


def test_each_costs_its_price():
    assert due(3, 2) == 6
    assert due(3, 0) == 0


def test_a_negative_count_is_refused():
    with pytest.raises(ValueError, match="negative count"):
        due(1, -1)
"""
NOW = datetime(2026, 11, 15, 3, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A repository whose journal holds one dream, tried and found worth promoting."""
    from tests.conftest import ScriptedRepository

    repository = ScriptedRepository(tmp_path_factory.mktemp("e2e") / "shop")
    repository.commit("A cart", {"cart.py": CART, ".gitignore": ".reverie/\n"})
    repository.write({"tests/test_cart.py": TESTS})
    files, change = read_change(repository.folder, "HEAD", None, None)
    settings = load_settings(repository.folder, {}, {}).settings
    judged = judge_change(GuardQuestion(files, change, Stage.A), settings)
    assert judged.judgement.verdict is Verdict.PROMOTE, judged.judgement
    assert judged.evidence is not None
    (repository.folder / "tests/test_cart.py").unlink()
    dream = Dream(DreamKind.TEST, "tests", "cart", "Test the cart", change)
    pending = CycleDream(dream, 0, "0" * 16, DreamStatus.PENDING_TEST)
    header = CycleHeader(
        id="20261115-0300-abcd",
        repository=str(repository.folder),
        started_at=NOW,
        state=CycleState.RUNNING,
        wishes=CycleWishes(CycleBudget()),
        revision=repository.git("rev-parse", "HEAD"),
    )
    trial = Trial(judged.evidence, judged.judgement, {"roi": 30.0, "raroi": 28.5}, 1.0, 10)
    (repository.folder / ".reverie").mkdir()
    with Journal.open(journal_url(repository.folder)) as journal:
        writer = CycleWriter(journal, header.id)
        step = _step()
        writer.begin(header)
        writer.plan(header, [step])
        writer.dreamt(step, [pending], [])
        writer.tried(pending, trial)
    return repository, dream


def documented(command: str) -> set[str]:
    return set(documented_keys(section(Path(__file__).parents[2], command)))


def _step():  # type: ignore[no-untyped-def]
    from reverie.model.cycle import Step

    return Step(0, "tests", "cart", "cart.py", "0" * 16)


def test_a_dream_is_offered_verified_elsewhere_and_taken_back(
    shop, cli: Callable, tmp_path: Path
) -> None:
    repository, dream = shop
    folder, environ = repository.folder, {"HOME": str(tmp_path)}
    status = repository.git("status", "--porcelain", "--branch")
    made = cli("promote", dream.id[:6], "--json", "--repo", str(folder), environ=environ)
    assert (made.code, made.err) == (0, "")
    document = made.document
    assert set(document) == documented("promote")
    assert (document["status"], document["roi"]) == ("offered", 30.0)
    assert repository.git("status", "--porcelain", "--branch") == status
    branch = document["branch"]
    message = repository.git("log", "-1", "--format=%B", branch)
    assert f"Check it again: reverie verify .reverie/bundles/{dream.id}" in message
    assert "passed 5 runs" in " ".join(message.split())
    again = cli("promote", dream.id, "--json", "--repo", str(folder), environ=environ)
    assert again.document["commit"] == document["commit"]

    elsewhere = tmp_path / "elsewhere"
    repository.git("clone", "-q", str(folder), str(elsewhere))
    bundle = tmp_path / "bundle"
    shutil.copytree(document["bundle"], bundle)
    verify = ("verify", str(bundle), "--json", "--repo", str(elsewhere))
    seen = cli(*verify, environ=environ)
    assert seen.document["reason"] is None
    assert seen.code == 0
    assert seen.document["checks"][-1] == "rerun"

    stranger = {"HOME": str(tmp_path / "stranger")}
    refused = cli(*verify, environ=stranger)
    assert (refused.code, refused.document["reason_code"]) == (1, "untrusted_key")
    trusting = cli(*verify, "--trust", str(bundle / "key.pub"), "--static", environ=stranger)
    assert trusting.code == 0

    undone = cli("rollback", dream.id, "--json", "--repo", str(folder), environ=environ)
    assert (undone.code, undone.document["branch"]) == (0, branch)
    assert set(undone.document) == documented("rollback")
    assert repository.git("branch", "--list", "reverie/*") == ""
    with Journal.open(journal_url(folder)) as journal:
        assert find_offered(journal, folder, dream.id).each.status is DreamStatus.ROLLED_BACK
    twice = cli("rollback", dream.id, "--repo", str(folder), environ=environ)
    assert (twice.code, "already" in twice.err) == (1, True)


def test_a_claim_that_does_not_come_out_again_is_named(shop, cli: Callable, tmp_path: Path) -> None:
    """Signed by a trusted key, whole, and false."""
    from dataclasses import replace

    from reverie.promotion.bundle.keys import config_folder, own_key
    from reverie.promotion.bundle.verification import read_bundle
    from reverie.promotion.bundle.writing import Sealing, write_bundle
    from reverie.promotion.trial_tree import read_source
    from reverie.store.cycles.promotions import find_tried

    repository, dream = shop
    environ = {"HOME": str(tmp_path)}
    with Journal.open(journal_url(repository.folder)) as journal:
        trial = find_tried(journal, repository.folder, dream.id).each.trial
    assert trial is not None
    from reverie.model.cycle import Proven

    measures = {**trial.evidence.measures, "mutants.newly_killed": 99.0}
    boasting = Proven(
        dream, Stage.A, read_source(repository.folder),
        replace(trial.evidence, measures=measures), trial.judgement,
    )  # fmt: skip
    key = own_key(config_folder(environ))
    written = write_bundle(
        tmp_path / "bundles", boasting, Sealing(key, NOW, {}, "0"), repository.folder
    )
    assert read_bundle(written.folder, (key.public,)).told.proven == boasting
    seen = cli(
        "verify", str(written.folder), "--json", "--repo", str(repository.folder), environ=environ
    )
    assert (seen.code, seen.document["reason_code"]) == (1, "not_reproduced")
    (mismatch,) = seen.document["mismatches"]
    inner = {f"mismatches[].{key}" for key in mismatch}
    limits = {f"mismatches[].tolerance.{key}" for key in mismatch["tolerance"]}
    assert {*seen.document, *inner, *limits} == documented("verify")
    assert (mismatch["measure"], mismatch["claimed"]) == ("mutants.newly_killed", 99.0)


def test_bad_names_are_one_line(shop, cli: Callable, tmp_path: Path) -> None:
    repository, _ = shop
    for line in (
        ["promote", "ffffffff"],
        ["promote", "x"],
        ["rollback", "ffffffff"],
        ["verify", str(tmp_path / "nowhere")],
        ["verify", str(tmp_path), "--trust", str(tmp_path / "none.pub")],
        ["promote", "ffffffff", "--open-pr"],
    ):
        ran = cli(*line, "--repo", str(repository.folder), environ={"HOME": str(tmp_path)})
        assert (ran.code, ran.out) == (2, ""), line
        assert ran.err.startswith("error: ")
        assert ran.err.count("\n") == 1
