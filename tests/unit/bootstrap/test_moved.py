import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.bootstrap.repository import keep_past
from reverie.model.cycle import CycleBudget, CycleHeader, CycleState, CycleWishes
from reverie.promotion.history import identity_of
from reverie.settings import load_settings
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter, unfinished_cycle


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def note_cycle(journal: Journal, repository: Path) -> None:
    header = CycleHeader(
        id="cycle-1", repository=str(repository.resolve()), started_at=datetime.now(UTC),
        state=CycleState.RUNNING, wishes=CycleWishes(CycleBudget(executions=1), seed=1),
        environment={"identity": identity_of(repository)},
    )  # fmt: skip
    CycleWriter(journal, "cycle-1").begin(header)


def test_a_moved_checkout_keeps_its_past(shop: Path, tmp_path: Path) -> None:
    there = tmp_path / "elsewhere"
    with Journal.open(journal_url(tmp_path)) as journal:
        note_cycle(journal, shop)
        shop.rename(there)
        assert unfinished_cycle(journal, there) is None
        keep_past(load_settings(there, {}, {}), journal)
        assert unfinished_cycle(journal, there) == "cycle-1"
        assert unfinished_cycle(journal, shop) is None


def test_a_copy_takes_the_past_of_its_own_journal_and_no_shared_one(
    shop: Path, tmp_path: Path
) -> None:
    there = tmp_path / "copy"
    shutil.copytree(shop, there)
    with Journal.open(journal_url(tmp_path)) as journal:
        note_cycle(journal, shop)
        shared = {"REVERIE_JOURNAL_URL": journal_url(tmp_path)}
        keep_past(load_settings(there, shared, {}), journal)
        assert unfinished_cycle(journal, there) is None
        keep_past(load_settings(there, {}, {}), journal)
        assert unfinished_cycle(journal, there) == "cycle-1"


def test_another_repository_at_another_place_inherits_nothing(shop: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(shop, other)
    git(other, "remote", "add", "origin", "https://example.org/fork.git")
    assert identity_of(other) != identity_of(shop)
    with Journal.open(journal_url(tmp_path)) as journal:
        note_cycle(journal, shop)
        keep_past(load_settings(other, {}, {}), journal)
        assert unfinished_cycle(journal, other) is None


def test_without_a_commit_nobody_can_say_which_repository_it_is(tmp_path: Path) -> None:
    assert identity_of(tmp_path) is None
    git(tmp_path, "init", "-q")
    assert identity_of(tmp_path) is None
