"""A data folder is believed where its user made it, and nowhere else."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.errors import ConfigError
from reverie.home.own_folder import claim_folder, is_own_folder, make_own_folder
from reverie.settings import Loaded, load_settings
from reverie.store import Journal, journal_url


def load(folder: Path) -> Loaded:
    return load_settings(folder, {}, {})


def assert_refused(folder: Path, word: str) -> None:
    loaded = load(folder)
    assert not loaded.is_initialised
    assert loaded.journal_url is None
    assert re.search(word, loaded.warnings[0])
    with pytest.raises(ConfigError, match=word):
        _ = loaded.data_dir
    with pytest.raises(ConfigError, match=word):
        _ = loaded.repository_journal_url


def test_what_the_user_made_is_believed(tmp_path: Path) -> None:
    Journal.open(journal_url(tmp_path)).close()
    loaded = load(tmp_path)
    assert loaded.is_initialised
    assert loaded.warnings == ()


def test_a_shipped_folder_is_not(tmp_path: Path) -> None:
    Journal.open(journal_url(tmp_path / "theirs")).close()
    (tmp_path / "theirs" / ".reverie").rename(tmp_path / ".reverie")  # a mark holds for one place
    assert_refused(tmp_path, "your mark")
    (tmp_path / ".reverie" / "owner").unlink()
    assert_refused(tmp_path, "your mark")
    (tmp_path / ".reverie" / "owner").write_text("0" * 64)
    assert_refused(tmp_path, "your mark")


def test_another_users_mark_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_own_folder(tmp_path / ".reverie")
    (tmp_path / ".reverie" / "journal.db").touch()
    assert load(tmp_path).is_initialised
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    assert_refused(tmp_path, "your mark")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "repository").mkdir()
    make_own_folder(tmp_path / "other" / ".reverie")
    (tmp_path / "repository" / ".reverie").symlink_to(tmp_path / "other" / ".reverie")
    assert_refused(tmp_path / "repository", "a link")


def test_what_a_repository_may_ship_is_no_claim(tmp_path: Path) -> None:
    (tmp_path / ".reverie").mkdir()
    (tmp_path / ".reverie" / "baseline.json").write_text("{}")
    assert load(tmp_path).is_initialised
    assert make_own_folder(tmp_path / ".reverie") is False
    assert (tmp_path / ".reverie" / "owner").exists()


def test_a_folder_that_the_user_names_outside_is_the_users(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "journal.db").touch()
    (tmp_path / "repository").mkdir()
    environ = {"REVERIE_JOURNAL_DATA_DIR": str(elsewhere)}
    assert load_settings(tmp_path / "repository", environ, {}).data_dir == elsewhere


def test_what_git_brings_is_not_believed_though_the_folder_is_the_users(
    scripted: Callable,
) -> None:
    repository = scripted()
    make_own_folder(repository.folder / ".reverie")
    repository.commit("first", {"a.py": "", "about reverie/b.py": ""})
    repository.git("add", "--force", ".reverie/.gitignore")
    assert load(repository.folder).is_initialised
    repository.write({".reverie/journal.db": "x"})
    assert load(repository.folder).is_initialised
    repository.git("add", "--force", ".reverie/journal.db")
    assert_refused(repository.folder, r"git tracks \.reverie/journal\.db")
    repository.git("update-index", "--index-version", "4")
    assert_refused(repository.folder, r"git tracks \.reverie/journal\.db")
    repository.git("rm", "-q", "--cached", ".reverie/journal.db")
    assert load(repository.folder).is_initialised


def test_a_further_worktree_is_looked_at_by_its_own_index(scripted: Callable) -> None:
    repository = scripted()
    repository.commit("first", {"a.py": ""})
    repository.git("worktree", "add", "-q", "../further")
    further = repository.folder.parent / "further"
    make_own_folder(further / ".reverie")
    assert load(further).is_initialised
    (further / ".reverie" / "x").touch()
    repository.git("-C", str(further), "add", "--force", ".reverie/x")
    assert_refused(further, "git tracks")


def test_a_process_marks_what_it_made(tmp_path: Path) -> None:
    loaded, folder = load(tmp_path), tmp_path / ".reverie"
    folder.mkdir()
    (folder / "alignment_flags.jsonl").touch()
    loaded.claim_data_folder()
    assert is_own_folder(folder)
    (folder / "owner").unlink()
    load(tmp_path).claim_data_folder()
    assert not is_own_folder(folder), "it was not the user's when this began"


def test_a_folder_that_cannot_be_marked_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / ".reverie").mkdir()
    monkeypatch.setattr("reverie.home.own_folder.claim_folder", refuse)
    load(tmp_path).claim_data_folder()
    assert list((tmp_path / ".reverie").iterdir()) == []


def test_a_mark_lets_nobody_know_the_key(tmp_path: Path) -> None:
    claim_folder(tmp_path)
    first = (tmp_path / "owner").read_text()
    assert len(first.strip()) == 64
    key = Path(os.environ["XDG_CONFIG_HOME"]) / "reverie" / "key.pem"
    assert key.stat().st_mode & 0o777 == 0o600
    assert first.strip() not in key.read_text()


class TestInit:
    def test_does_not_believe_what_was_shipped(self, cli: Callable, repository: Path) -> None:
        (repository / ".reverie").mkdir()
        (repository / ".reverie" / "journal.db").write_bytes(b"theirs")
        ran = cli("init", "--repo", str(repository))
        assert ran.code == 2
        assert "`reverie init --adopt`" in ran.err

    def test_adopts_it_when_told_so(self, cli: Callable, repository: Path) -> None:
        (repository / ".reverie").mkdir()
        (repository / ".reverie" / "events.jsonl").touch()
        assert cli("init", "--adopt", "--dry-run", "--repo", str(repository)).code == 2
        assert cli("init", "--adopt", "--repo", str(repository)).code == 0
        assert load(repository).is_initialised

    def test_has_nothing_to_adopt_in_a_link(self, cli: Callable, repository: Path) -> None:
        (repository / ".reverie").symlink_to(repository.parent)
        assert cli("init", "--adopt", "--repo", str(repository)).code == 2


def test_a_broken_index_is_not_believed_either(scripted: Callable) -> None:
    repository = scripted()
    make_own_folder(repository.folder / ".reverie")
    (repository.folder / ".git" / "index").write_bytes(b"DIRC about .reverie/journal.db")
    assert_refused(repository.folder, "git cannot be asked")
