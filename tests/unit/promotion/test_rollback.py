from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.errors import Refused
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import PromotionStatus
from reverie.promotion.promoter import Offer
from reverie.promotion.rollback import roll_back, status_of
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import new_file, proven_dream

BRANCH = "reverie/2026-11-15-1"
LINES = "".join(f"line_{number} = {number}\n" for number in range(30))


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted()
    repository.commit("One", {"shop.py": LINES, "tool": "#!/bin/sh\n"})
    return repository


def changed(text: str, number: int) -> str:
    return text.replace(f"line_{number} = {number}\n", f"line_{number} = 'new'\n")


def refactoring(folder: Path, number: int = 3):  # type: ignore[no-untyped-def]
    change = Change((FileEdit("shop.py", LINES, changed(LINES, number)),))
    return proven_dream(change, read_source(folder))


def test_a_branch_that_only_we_have_goes(shop, promoter: Callable, snapshot: Callable, now) -> None:
    shop.write({"shop.py": "uncommitted\n"})
    before, ours = snapshot(shop.folder), promoter(shop.folder)
    made = ours.promote(refactoring(shop.folder), Offer(now, BRANCH))
    undone = roll_back(ours, made, now)
    assert (undone.branch, undone.commit) == (BRANCH, None)
    assert shop.git("branch", "--list", "reverie/*") == ""
    assert snapshot(shop.folder) == before


def test_one_of_several_is_reverted_on_its_branch(shop, promoter: Callable, now) -> None:
    ours = promoter(shop.folder)
    first = ours.promote(refactoring(shop.folder), Offer(now, BRANCH))
    added = proven_dream(new_file("tests/test_x.py", "x"), read_source(shop.folder))
    second = ours.promote(added, Offer(now, BRANCH))
    undone = roll_back(ours, first, now, "slower\non large carts")
    assert undone.branch == BRANCH
    assert shop.git("diff", "--name-status", "HEAD", BRANCH) == "A\ttests/test_x.py"
    message = shop.git("log", "-1", "--format=%B", BRANCH)
    assert f"This reverts commit {first.commit}." in message
    assert f"Reverie-Rollback: {first.dream_id}" in message
    assert "slower on large carts" in message
    roll_back(ours, second, now)
    assert shop.git("diff", "HEAD", BRANCH) == ""


def test_what_stands_on_an_earlier_promotion_leaves_it_where_it_is(
    shop, promoter: Callable, now
) -> None:
    ours = promoter(shop.folder)
    added = proven_dream(new_file("tests/test_x.py", "x"), read_source(shop.folder))
    first = ours.promote(added, Offer(now, BRANCH))
    edit = FileEdit("shop.py", LINES, changed(LINES, 3))
    later = proven_dream(Change((edit,)), read_source(shop.folder, first.commit))
    second = ours.promote(later, Offer(now, BRANCH))
    assert second.base == first.commit
    roll_back(ours, second, now)
    assert shop.git("rev-parse", BRANCH) == first.commit
    roll_back(ours, first, now)
    assert shop.git("branch", "--list", "reverie/*") == ""


def test_what_people_have_merged_of_one_cycle_is_reverted_on_one_branch(
    shop, promoter: Callable, now
) -> None:
    ours = promoter(shop.folder)
    added = proven_dream(new_file("tests/test_x.py", "x"), read_source(shop.folder))
    made = [ours.promote(each, Offer(now, BRANCH)) for each in (refactoring(shop.folder), added)]
    shop.git("merge", "-q", BRANCH)
    undone = [roll_back(ours, each, now, group="night") for each in reversed(made)]
    assert {each.branch for each in undone} == {"reverie/rollback-night"}
    assert shop.git("rev-list", "--count", "HEAD..reverie/rollback-night") == "2"
    assert shop.git("diff", "HEAD~2", "reverie/rollback-night") == ""


def test_what_was_taken_back_can_be_offered_again(shop, promoter: Callable, now) -> None:
    ours = promoter(shop.folder)
    ours.promote(proven_dream(new_file("a", "x"), read_source(shop.folder)), Offer(now, BRANCH))
    made = ours.promote(refactoring(shop.folder), Offer(now, BRANCH))
    roll_back(ours, made, now)
    assert "shop.py" not in shop.git("diff", "--name-only", "HEAD", BRANCH)
    again = ours.promote(refactoring(shop.folder), Offer(now, BRANCH))
    assert shop.git("rev-parse", BRANCH) == again.commit
    assert "shop.py" in shop.git("diff", "--name-only", "HEAD", BRANCH)


def test_what_people_have_merged_is_reverted_for_them_to_merge(
    shop, promoter: Callable, snapshot: Callable, now
) -> None:
    ours = promoter(shop.folder)
    made = ours.promote(refactoring(shop.folder), Offer(now, BRANCH))
    assert status_of(ours, made) is PromotionStatus.OFFERED
    shop.git("merge", "-q", "--no-ff", "-m", "Merge", BRANCH)
    assert status_of(ours, made) is PromotionStatus.MERGED
    shop.commit("Later work", {"shop.py": changed(changed(LINES, 3), 20)})
    before, head = snapshot(shop.folder), shop.git("rev-parse", "HEAD")
    undone = roll_back(ours, made, now)
    assert snapshot(shop.folder) == before
    assert undone.branch == f"reverie/rollback-{made.dream_id}"
    assert shop.git("rev-parse", f"{undone.branch}^") == head
    assert shop.git("show", f"{undone.branch}:shop.py") + "\n" == changed(LINES, 20)


def test_also_when_they_squashed_it_and_removed_the_branch(shop, promoter: Callable, now) -> None:
    ours = promoter(shop.folder)
    made = ours.promote(refactoring(shop.folder), Offer(now, BRANCH))
    shop.git("merge", "-q", "--squash", BRANCH)
    shop.commit("Squashed")
    shop.git("branch", "-q", "-D", BRANCH)
    undone = roll_back(ours, made, now)
    assert shop.git("show", f"{undone.branch}:shop.py") + "\n" == LINES


def test_a_branch_that_is_checked_out_stays(
    shop, promoter: Callable, snapshot: Callable, now
) -> None:
    ours = promoter(shop.folder)
    made = ours.promote(refactoring(shop.folder), Offer(now, BRANCH))
    shop.git("checkout", "-q", BRANCH)
    before = snapshot(shop.folder)
    undone = roll_back(ours, made, now)
    assert snapshot(shop.folder) == before
    assert undone.branch == f"reverie/rollback-{made.dream_id}"
    assert shop.git("diff", "main", undone.branch) == ""


def test_later_work_in_the_same_lines_stands_in_the_way(shop, promoter: Callable, now) -> None:
    ours = promoter(shop.folder)
    made = ours.promote(refactoring(shop.folder), Offer(now, BRANCH))
    shop.git("merge", "-q", BRANCH)
    shop.commit("Later", {"shop.py": LINES.replace("line_3 = 3", "line_3 = 'other'")})
    with pytest.raises(Refused, match="same lines"):
        roll_back(ours, made, now)
    assert shop.git("branch", "--list", "reverie/rollback*") == ""


def test_nothing_is_rolled_back_twice(shop, promoter: Callable, now) -> None:
    made = promoter(shop.folder).promote(refactoring(shop.folder), Offer(now, BRANCH))
    gone = replace(made, status=PromotionStatus.ROLLED_BACK)
    with pytest.raises(Refused, match="already"):
        roll_back(promoter(shop.folder), gone, now)


def test_modes_links_and_new_files_come_back(shop, promoter: Callable, now) -> None:
    change = Change(
        (
            FileEdit("link", None, "tool", mode_after="120000"),
            FileEdit("shop.py", LINES, None, mode_before="100644"),
            FileEdit("tool", "#!/bin/sh\n", "#!/bin/sh\n", None, "100644", "100755"),
        )
    )
    ours = promoter(shop.folder)
    made = ours.promote(proven_dream(change, read_source(shop.folder)), Offer(now, BRANCH))
    shop.git("merge", "-q", BRANCH)
    undone = roll_back(ours, made, now)
    assert shop.git("diff", "HEAD~1", undone.branch) == ""


def test_the_first_commit_of_all_can_be_reverted(
    scripted: Callable, promoter: Callable, now
) -> None:
    empty = scripted("empty")
    ours = promoter(empty.folder)
    source = read_source(empty.folder)
    made = ours.promote(proven_dream(new_file("a.py", "x"), source), Offer(now, BRANCH))
    ours.promote(proven_dream(new_file("b.py", "x"), source), Offer(now, BRANCH))
    roll_back(ours, made, now)
    assert empty.git("ls-tree", "-r", "--name-only", BRANCH) == "b.py"


def test_a_patch_is_removed(tmp_path: Path, promoter: Callable, now) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    dream = proven_dream(new_file("a.py", "x"), read_source(plain))
    made = promoter(plain).promote(dream, Offer(now, patches=tmp_path / "patches"))
    roll_back(promoter(plain), made, now)
    assert list((tmp_path / "patches").iterdir()) == []
