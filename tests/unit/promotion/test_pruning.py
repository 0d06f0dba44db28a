"""Which branches of ours go, and which never do."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.promotion.branches import Branches, BranchPast, BranchPruner, Spent
from reverie.promotion.git import Git

LATER = datetime(2030, 1, 1, tzinfo=UTC)
OURS = "reverie/2026-11-15-1"


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted()
    repository.commit("One", {"shop.py": "A = 1\n"})
    return repository


def branch_off(shop, name: str, files: dict[str, str], day: int = 1) -> str:  # type: ignore[no-untyped-def]
    shop.git("checkout", "-qb", name, "main")
    commit: str = shop.commit(f"On {name}", files, day=day)
    shop.git("checkout", "-q", "main")
    return commit


def pruner(folder: Path, past: dict[str, BranchPast]) -> BranchPruner:
    git = Git.find(folder)
    assert git is not None
    return BranchPruner(Branches(git, "reverie"), past)


def spent(folder: Path, *known: str, back: bool = False, name: str = OURS) -> dict[str, Spent]:
    past = {name: BranchPast(frozenset(known), back)}
    return {each.branch: each.why for each in pruner(folder, past).remove_spent(LATER)}


def test_what_nobody_has_taken_stays(shop) -> None:  # type: ignore[no-untyped-def]
    commit = branch_off(shop, OURS, {"tests/test_a.py": "x"})
    assert spent(shop.folder, commit) == {}
    assert OURS in shop.git("branch", "--list", "reverie/*")


def test_what_is_merged_goes_once_it_is_old(shop) -> None:  # type: ignore[no-untyped-def]
    commit = branch_off(shop, OURS, {"tests/test_a.py": "x"})
    shop.git("merge", "-q", "--no-ff", "-m", "Merge", OURS)
    moment = datetime.fromtimestamp(int(shop.git("log", "-1", "--format=%ct", OURS)), UTC)
    assert pruner(shop.folder, {}).remove_spent(moment - timedelta(days=1)) == ()
    removed = pruner(shop.folder, {}).remove_spent(moment + timedelta(days=1))
    assert [(each.branch, each.commit, each.why) for each in removed] == [
        (OURS, commit, Spent.MERGED)
    ]
    assert shop.git("branch", "--list", "reverie/*") == ""


def test_what_was_squashed_or_picked_goes(shop) -> None:  # type: ignore[no-untyped-def]
    commit = branch_off(shop, OURS, {"tests/test_a.py": "x", "shop.py": "A = 2\n"})
    shop.commit("Theirs", {"tests/test_a.py": "x", "shop.py": "A = 2\n", "other.py": "B = 1\n"})
    assert spent(shop.folder, commit) == {OURS: Spent.TAKEN_OVER}


def test_what_was_taken_over_in_part_stays(shop) -> None:  # type: ignore[no-untyped-def]
    commit = branch_off(shop, OURS, {"tests/test_a.py": "x", "shop.py": "A = 2\n"})
    shop.commit("Theirs", {"tests/test_a.py": "x"})
    assert spent(shop.folder, commit) == {}


def test_what_was_taken_back_goes(shop) -> None:  # type: ignore[no-untyped-def]
    commit = branch_off(shop, OURS, {"tests/test_a.py": "x"})
    assert spent(shop.folder, commit, back=True) == {OURS: Spent.TAKEN_BACK}


def test_what_holds_its_start_goes(shop) -> None:  # type: ignore[no-untyped-def]
    first = branch_off(shop, OURS, {"tests/test_a.py": "x"})
    shop.git("checkout", "-q", OURS)
    shop.git("revert", "--no-edit", "HEAD")
    second = shop.git("rev-parse", "HEAD")
    shop.git("checkout", "-q", "main")
    assert spent(shop.folder, first, second) == {OURS: Spent.EMPTY}


def test_of_two_alike_the_older_goes(shop) -> None:  # type: ignore[no-untyped-def]
    older = branch_off(shop, OURS, {"tests/test_a.py": "x"}, day=1)
    branch_off(shop, "reverie/2026-11-16-1", {"tests/test_a.py": "x"}, day=2)
    assert spent(shop.folder, older) == {OURS: Spent.REPEATED}
    assert shop.git("branch", "--list", "reverie/*").split() == ["reverie/2026-11-16-1"]


@pytest.mark.parametrize("back", [False, True])
def test_what_somebody_committed_there_stays(shop, back: bool) -> None:  # type: ignore[no-untyped-def]
    commit = branch_off(shop, OURS, {"tests/test_a.py": "x"})
    shop.git("checkout", "-q", OURS)
    shop.commit("Mine", {"mine.py": "x"}, day=2)
    shop.git("checkout", "-q", "main")
    assert spent(shop.folder, commit, back=back) == {}


def test_branches_of_others_and_checked_out_ones_stay(shop) -> None:  # type: ignore[no-untyped-def]
    shop.git("branch", "theirs")
    shop.git("branch", "reveries/x")
    shop.git("branch", OURS)
    shop.git("worktree", "add", "-q", str(shop.folder.parent / "beside"), OURS)
    assert spent(shop.folder) == {}
    shop.git("worktree", "remove", str(shop.folder.parent / "beside"))
    assert spent(shop.folder) == {OURS: Spent.MERGED}
    assert set(shop.git("branch", "--format=%(refname:short)").split()) == {
        *("main", "theirs", "reveries/x")
    }


def test_a_pushed_copy_is_no_merge(shop) -> None:  # type: ignore[no-untyped-def]
    commit = branch_off(shop, OURS, {"tests/test_a.py": "x"})
    shop.git("update-ref", f"refs/remotes/origin/{OURS}", commit)
    assert spent(shop.folder, commit) == {}
    shop.git("update-ref", "refs/remotes/origin/main", commit)
    assert spent(shop.folder, commit) == {OURS: Spent.MERGED}


def test_by_name_it_goes_whatever_it_holds(shop) -> None:  # type: ignore[no-untyped-def]
    branch_off(shop, OURS, {"tests/test_a.py": "x"})
    ours = pruner(shop.folder, {})
    for names in ([OURS, "main"], [OURS, "reverie/absent"]):
        with pytest.raises(UsageError):
            ours.remove_named(names)
        assert OURS in shop.git("branch", "--list", "reverie/*")
    assert [each.why for each in ours.remove_named([OURS, OURS])] == [Spent.NAMED]
    assert shop.git("branch", "--list", "reverie/*") == ""
