"""Stage C: two people, two keys, a record and a way back, through every door there is."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from reverie.errors import Refused
from reverie.model.change import Change, FileEdit
from reverie.model.dream import DreamKind, Stage
from reverie.model.ruling import Approver
from reverie.promotion.approvals import approve, counted, require_countable
from reverie.promotion.bundle.keys import SigningKey, own_key
from reverie.promotion.bundle.writing import Sealing
from reverie.promotion.decision_records import Habit, decision_record, read_habit
from reverie.promotion.offering import offer_dream
from reverie.promotion.promoter import Offer, approvals_required
from reverie.promotion.rollback import roll_back
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import proven_dream

BRANCH = "reverie/2026-11-15-1"
OLD, NEW = "def total(p):\n    return sum(list(p))\n", "def total(p):\n    return sum(p)\n"
NEEDS = (
    "2 approvals by different people, none of them the author",
    "a decision record (ADR)",
    "a canary plan",
    "a tested rollback",
)


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {"cart.py": OLD, "docs/adr/007_old.md": "# 7. Old\n\n## Context\n"})
    return repository


@pytest.fixture
def faster(shop):  # type: ignore[no-untyped-def]
    return proven_dream(
        Change((FileEdit("cart.py", OLD, NEW, mode_before="100644", mode_after="100644"),)),
        read_source(shop.folder),
        title="Add the prices | without a *list*",
        kind=DreamKind.OPTIMISATION,
        stage=Stage.C,
        measures={"speedup.p50": 1.8},
        needs=NEEDS,
    )


@pytest.fixture
def keys(tmp_path: Path) -> Callable[[str], SigningKey]:
    return lambda name: own_key(tmp_path / "keys" / name)


@pytest.fixture
def both(faster, keys: Callable, now):  # type: ignore[no-untyped-def]
    return approve(faster, "Ada", keys("ada"), now), approve(faster, "Grace", keys("grace"), now)


def test_two_people_with_two_keys_are_enough(shop, faster, both, promoter: Callable, now) -> None:
    ours = promoter(shop.folder)
    made = ours.promote(faster, Offer(now, BRANCH, approvals=both))
    added = "docs/adr/008_add-the-prices-without-a-list.md"
    assert shop.git("diff", "--name-status", "HEAD", BRANCH).split("\n") == [
        "M\tcart.py",
        f"A\t{added}",
    ]
    record = shop.git("show", f"{BRANCH}:{added}")
    for part in ("Context", "Decision", "Evidence", "Consequences", "Rollback", "Canary plan"):
        assert f"## {part}\n\n" in record
    assert "Approved by Ada, key" in record
    assert "| `speedup.p50` | 1.8 |" in record
    roll_back(ours, made, now)
    assert shop.git("branch", "--list", "reverie/*") == ""


def test_one_is_not_and_neither_is_one_twice(
    shop, faster, both, keys: Callable, promoter: Callable, now
) -> None:
    ada, grace = both
    later = now + timedelta(minutes=1)
    other = replace(faster, evidence=replace(faster.evidence, measures={"speedup.p50": 9.0}))
    doors = {
        "nobody": (),
        "one": (ada,),
        "the same again": (ada, ada),
        "one key, two names": (ada, approve(faster, "Grace", keys("ada"), later)),
        "one name, two keys": (ada, approve(faster, " ada ", keys("grace"), later)),
        "the author": (ada, approve(faster, faster.dream.dreamer, keys("grace"), later)),
        "other evidence": (ada, approve(other, "Grace", keys("grace"), now)),
        "another's name on it": (ada, replace(grace, name="Mallory")),
        "another's key on it": (ada, replace(grace, keyid=ada.keyid[::-1])),
        "a torn envelope": (ada, replace(grace, envelope=grace.envelope[:-20])),
        "a changed envelope": (ada, replace(grace, envelope=grace.envelope.replace("A", "B", 1))),
        "no envelope": (ada, replace(grace, envelope="")),
        "a proof bundle's": (ada, replace(grace, envelope=ada.envelope)),
    }
    for door, approvals in doors.items():
        with pytest.raises(Refused, match="more approval"):
            promoter(shop.folder).promote(faster, Offer(now, BRANCH, approvals=approvals))
        assert shop.git("branch", "--list", "reverie/*") == "", door


def test_the_key_that_seals_cannot_approve(
    shop, faster, both, keys: Callable, promoter: Callable, tmp_path: Path, now
) -> None:
    sealing = Sealing(keys("grace"), now, {}, "0")
    offer = Offer(now, BRANCH, approvals=both)
    with pytest.raises(Refused, match="1 more approval by"):
        offer_dream(promoter(shop.folder), faster, offer, sealing, tmp_path / "bundles")
    assert not (tmp_path / "bundles").exists()
    fine = Sealing(keys("reverie"), now, {}, "0")
    assert offer_dream(promoter(shop.folder), faster, offer, fine, tmp_path / "b").branch == BRANCH


@pytest.mark.parametrize("change", ["no needs", "fewer needs", "another stage"])
def test_leaving_words_out_opens_no_door(
    shop, faster, promoter: Callable, now, change: str
) -> None:
    judgement = faster.judgement
    other = {
        "no needs": replace(faster, judgement=replace(judgement, needs=())),
        "fewer needs": replace(faster, judgement=replace(judgement, needs=judgement.needs[1:])),
        "another stage": replace(faster, stage=Stage.B, judgement=replace(judgement, needs=())),
    }[change]
    with pytest.raises(Refused):
        promoter(shop.folder).promote(other, Offer(now, BRANCH))


def test_one_approval_is_enough_where_one_approver_is_named(faster, keys: Callable) -> None:  # type: ignore[no-untyped-def]
    ada, grace = (Approver(name, keys(name).public.fingerprint) for name in ("ada", "grace"))
    assert approvals_required(faster) == 2
    assert approvals_required(faster, (ada,)) == 1
    assert approvals_required(faster, (ada, grace)) == 2


def test_only_those_on_the_list_count_when_there_is_one(
    shop, faster, both, promoter: Callable, now
) -> None:
    ada, grace = both
    listed = (f"Ada={ada.keyid}", f"Grace Hopper={grace.keyid}")
    with pytest.raises(Refused, match="1 more approval by"):
        promoter(shop.folder, approvers=listed).promote(faster, Offer(now, BRANCH, approvals=both))
    right = (f"ada={ada.keyid}", f"Grace={grace.keyid}")
    made = promoter(shop.folder, approvers=right).promote(
        faster, Offer(now, BRANCH, approvals=both)
    )
    assert made.branch == BRANCH


def test_an_approval_that_would_not_count_is_refused_with_its_reason(
    faster, both, keys: Callable, now
) -> None:
    ada, grace = both
    listed = ()
    for approval, earlier, reason in [
        (approve(faster, "Tests", keys("x"), now), (), "author"),
        (ada, (ada,), "that key has approved"),
        (approve(faster, "ADA", keys("x"), now), (ada,), "with another key"),
        (grace, (), "seals proofs"),
    ]:
        with pytest.raises(Refused, match=reason):
            require_countable(faster, approval, earlier, (keys("grace").public,), listed)
    with pytest.raises(Refused, match="needs a name"):
        approve(faster, " \n", keys("ada"), now)
    assert counted(faster, both) == both


def test_where_there_is_no_git_the_record_is_in_the_patch(
    faster, both, promoter: Callable, tmp_path: Path, now
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "cart.py").write_text(OLD)
    dream = replace(faster, source=read_source(plain))
    ada = approve(dream, "Ada", own_key(tmp_path / "a"), now)
    grace = approve(dream, "Grace", own_key(tmp_path / "g"), now)
    made = promoter(plain).promote(
        dream, Offer(now, patches=tmp_path / "patches", approvals=(ada, grace))
    )
    assert made.patch is not None
    assert "docs/decisions/0001-add-the-prices" in Path(made.patch).read_text()


def test_a_record_follows_the_habit_of_the_repository(faster, both, now) -> None:
    assert read_habit([]) == Habit()
    house = read_habit(
        ["docs/decisions/0003-a.md", "docs/decisions/0012-b.md", "docs/decisions/README.md"],
        {"docs/decisions/0012-b.md": "# 12. B\n\n**Context.** Because.\n"},
    )
    assert house == Habit("docs/decisions", 13, 4, "-", is_bold=True)
    (edit,) = decision_record(faster, both, house, now).edits
    assert edit.path == "docs/decisions/0013-add-the-prices-without-a-list.md"
    assert edit.after is not None
    assert edit.after.startswith("# 13. Add the prices \\| without a \\*list\\*\n\n**Status.**")
    assert "\n**Canary plan.** Old and new side by side" in edit.after


def test_words_of_a_dream_stay_words_in_the_record(faster, keys: Callable, now) -> None:
    ada = approve(faster, "Ada <script>|`x`", keys("ada"), now)
    (edit,) = decision_record(faster, (ada,), Habit(), now).edits
    assert r"Ada \<script\>\|\`x\`" in (edit.after or "")


def test_what_cannot_be_rolled_back_is_not_offered(
    shop, faster, both, promoter: Callable, monkeypatch: pytest.MonkeyPatch, now
) -> None:
    monkeypatch.setattr("reverie.promotion.promoter.reverted_tree", lambda *given: "another tree")
    with pytest.raises(Refused, match="cannot be rolled back"):
        promoter(shop.folder).promote(faster, Offer(now, BRANCH, approvals=both))
    assert shop.git("branch", "--list", "reverie/*") == ""


def test_a_record_that_cannot_be_written_stops_the_promotion(
    shop, faster, both, promoter: Callable, monkeypatch: pytest.MonkeyPatch, now
) -> None:
    def refuse(*given: object) -> Change:
        raise Refused("no record")

    monkeypatch.setattr("reverie.promotion.promoter.decision_record", refuse)
    with pytest.raises(Refused, match="no record"):
        promoter(shop.folder).promote(faster, Offer(now, BRANCH, approvals=both))
    assert shop.git("branch", "--list", "reverie/*") == ""
