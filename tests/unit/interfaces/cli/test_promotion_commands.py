"""What the commands of promotion answer, on dreams that a journal holds."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.json_page import documented_keys, section

from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    CycleState,
    CycleWishes,
    Proven,
    Step,
    Trial,
)
from reverie.model.dream import DreamKind, DreamStatus, Stage
from reverie.model.ruling import Answer
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.trial_tree import read_source
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter
from reverie.testing.fakes import new_file, proven_dream

OLD, NEW = "def total(p):\n    return sum(list(p))\n", "def total(p):\n    return sum(p)\n"


def journaled(folder: Path, *tried: Proven) -> None:
    """Write a cycle that tried some dreams."""
    step = Step(0, "tests", "cart", "cart.py", "0" * 16)
    header = CycleHeader(
        id="20261115-0300-abcd",
        repository=str(folder),
        started_at=datetime(2026, 11, 15, 3, 0, tzinfo=UTC),
        state=CycleState.RUNNING,
        wishes=CycleWishes(CycleBudget()),
        revision=tried[0].source.revision,
    )
    dreams = [CycleDream(each.dream, 0, "0" * 16, DreamStatus.PENDING_TEST) for each in tried]
    (folder / ".reverie").mkdir(exist_ok=True)
    with Journal.open(journal_url(folder)) as journal:
        writer = CycleWriter(journal, header.id)
        writer.begin(header)
        writer.plan(header, [step])
        writer.dreamt(step, dreams, [])
        for each, dream in zip(tried, dreams, strict=True):
            score = {"roi": each.roi, "raroi": each.raroi}
            writer.tried(dream, Trial(each.evidence, each.judgement, score, 1.0, 1))


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {"cart.py": OLD, ".gitignore": ".reverie/\n"})
    return repository


@pytest.fixture
def faster(shop) -> Proven:
    change = Change((FileEdit("cart.py", OLD, NEW, mode_before="100644", mode_after="100644"),))
    proven = proven_dream(
        change,
        read_source(shop.folder),
        kind=DreamKind.OPTIMISATION,
        stage=Stage.C,
        needs=("2 approvals by different people", "a decision record (ADR)"),
    )
    journaled(shop.folder, proven)
    return proven


def key_file(tmp_path: Path, name: str) -> str:
    own_key(tmp_path / name)
    return str(tmp_path / name / "key.pem")


def test_two_people_approve_and_then_it_is_offered(
    shop, faster, cli: Callable, tmp_path: Path, root: Path
) -> None:
    def call(*line: str):  # type: ignore[no-untyped-def]
        return cli(*line, "--json", "--repo", str(shop.folder), environ={"HOME": str(tmp_path)})

    name = faster.dream.id
    assert call("promote", name).code == 1
    seen = call("approve", name, "--as", "Ada", "--key", key_file(tmp_path, "ada"))
    assert (seen.code, seen.document["approvals"], seen.document["required"]) == (0, 1, 2)
    assert list(seen.document) == documented_keys(section(root, "approve"))
    refused = call("promote", name)
    assert (refused.code, "1 more approval by" in refused.err) == (1, True)
    assert refused.out == ""
    for who, key in [("Ada", "bob"), ("Bob", "ada"), ("tests", "bob")]:
        assert call("approve", name, "--as", who, "--key", key_file(tmp_path, key)).code == 1
    assert call("approve", name, "--as", "Bob", "--key", key_file(tmp_path, "bob")).code == 0
    made = call("promote", name)
    assert (made.code, made.document["status"]) == (0, "offered")
    branch = made.document["branch"]
    assert "docs/decisions/0001-" in shop.git("diff", "--name-only", "HEAD", branch)
    undone = call("rollback", name)
    assert undone.code == 0
    again = call("promote", name)
    assert (again.code, again.document["status"]) == (0, "offered")
    later = again.document["branch"]
    assert later != branch, "an old name never comes to mean something else"
    told = cli("rollback", name, "--repo", str(shop.folder), environ={"HOME": str(tmp_path)})
    assert (told.code, f"the branch {later} is gone, too" in told.out) == (0, True)
    assert later not in shop.git("branch")


def test_the_key_that_seals_does_not_approve(shop, faster, cli: Callable, tmp_path: Path) -> None:
    own_key(tmp_path / ".config" / "reverie")
    sealing = str(tmp_path / ".config" / "reverie" / "key.pem")
    ran = cli(
        *("approve", faster.dream.id, "--as", "Ada", "--key", sealing),
        *("--repo", str(shop.folder)),
        environ={"HOME": str(tmp_path)},
    )
    assert (ran.code, "seals proofs" in ran.err) == (1, True)


def test_a_dream_that_failed_is_neither_approved_nor_offered(
    shop, cli: Callable, tmp_path: Path
) -> None:
    proven = proven_dream(
        new_file("tests/test_a.py", "x"), read_source(shop.folder), answer=Answer.FAIL
    )
    journaled(shop.folder, proven)
    environ = {"HOME": str(tmp_path)}
    where = ("--repo", str(shop.folder))
    ran = cli("promote", proven.dream.id, *where, environ=environ)
    assert (ran.code, "reject" in ran.err) == (1, True)
    key = key_file(tmp_path, "ada")
    ran = cli("approve", proven.dream.id, "--as", "Ada", "--key", key, *where, environ=environ)
    assert (ran.code, "reject" in ran.err) == (1, True)
    assert not (tmp_path / ".config").exists()


def test_a_journal_that_nobody_made_is_a_usage_error(shop, cli: Callable) -> None:
    ran = cli("promote", "abcdef", "--repo", str(shop.folder))
    assert (ran.code, "reverie init" in ran.err) == (2, True)


def test_people_see_what_happened(shop, cli: Callable, tmp_path: Path) -> None:
    proven = proven_dream(
        new_file("tests/test_a.py", "x"), read_source(shop.folder), title="Test \x1b[31m it"
    )
    journaled(shop.folder, proven)
    environ = {"HOME": str(tmp_path)}
    where = ("--repo", str(shop.folder))
    made = cli("promote", proven.dream.id, *where, environ=environ)
    assert made.code == 0
    assert "offered on reverie/" in made.out
    assert "\x1b" not in made.out
    shop.git("merge", "-q", "--no-ff", "-m", "Merge", made.out.split("offered on ")[1].split()[0])
    merged = cli("promote", proven.dream.id, "--json", *where, environ=environ)
    assert (merged.code, merged.document["status"]) == (0, "merged")
    bundle = shop.folder / ".reverie" / "bundles" / proven.dream.id
    seen = cli("verify", str(bundle), "--static", *where, environ=environ)
    assert (seen.code, seen.out.splitlines()[-1]) == (0, "accepted")
    (bundle / "dream.json").write_bytes(b"{}\n")
    bad = cli("verify", str(bundle), "--static", *where, environ=environ)
    assert (bad.code, bad.out.strip()) == (1, "refused: dream.json is not what was signed")
    gone = cli("rollback", proven.dream.id, *where, environ=environ)
    assert (gone.code, "is reverted by" in gone.out) == (0, True)


def test_prune_removes_old_branches_that_are_merged_and_those_named(cli: Callable, shop) -> None:  # type: ignore[no-untyped-def]
    journaled(shop.folder, proven_dream(new_file("t.py", "x"), read_source(shop.folder)))
    shop.git("branch", "reverie/merged")
    shop.git("checkout", "-qb", "reverie/offered")
    shop.commit("Two", {"tests/test_cart.py": "x"}, day=1)
    shop.git("checkout", "-q", "main")
    at = ("--repo", str(shop.folder))
    assert cli("prune", "--json", "--branch-days", "36500", *at).document["branches"] == []
    (gone,) = cli("prune", "--json", *at).document["branches"]
    assert (gone["branch"], gone["why"]) == ("reverie/merged", "merged")
    assert gone["commit"] == shop.git("rev-parse", "HEAD")
    for wrong in ("main", "reverie/absent"):
        ran = cli("prune", "--branch", wrong, *at)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert repr(wrong) in ran.err
    told = cli("prune", "--branch", "reverie/offered", *at).out
    assert "removed reverie/offered (named); git branch reverie/offered " in told
    assert shop.git("branch", "--format=%(refname:short)") == "main"
