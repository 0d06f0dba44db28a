from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.settings import Repository, find_repository


def test_the_flag_beats_the_environment(tmp_path: Path) -> None:
    environ = {"REVERIE_REPOSITORY": "/nowhere"}
    assert find_repository(str(tmp_path), environ) == Repository(tmp_path, "--repo")


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("REVERIE_REPOSITORY", "environment REVERIE_REPOSITORY"),
        ("SANDBOX_REPO_PATH", "environment SANDBOX_REPO_PATH (alias)"),
    ],
)
def test_the_environment_names_it(tmp_path: Path, name: str, origin: str) -> None:
    assert find_repository(None, {name: str(tmp_path)}) == Repository(tmp_path, origin)


@pytest.mark.parametrize("marker", [".git", "pyproject.toml"])
def test_otherwise_the_one_around_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marker: str
) -> None:
    (tmp_path / marker).touch()
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    assert find_repository(None, {}) == Repository(tmp_path, "current folder")


def test_a_marker_of_somebody_else_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    (tmp_path / "pyproject.toml").touch()
    inside = tmp_path / "mine"
    inside.mkdir()
    monkeypatch.chdir(inside)
    real = os.lstat

    def foreign(path: str) -> os.stat_result:
        seen = list(real(path))
        seen[4] += 1
        return os.stat_result(seen)

    monkeypatch.setattr("reverie.settings.sources.os.lstat", foreign)
    assert find_repository(None, {}).path == inside


@pytest.mark.parametrize("given", ["/nowhere/at/all", "bad\0name", "~nobody-has-this-name/x"])
def test_a_folder_that_is_not_there_is_the_callers_mistake(given: str) -> None:
    with pytest.raises(UsageError, match=r"^repository '.*' \(--repo\): "):
        find_repository(given, {})


def test_a_folder_deleted_under_our_feet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match="no longer exists"):
        find_repository(None, {})
    monkeypatch.chdir(tmp_path)
