"""An index is current exactly as long as nothing changed that it was made from."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.bootstrap import open_index
from reverie.index import RememberedIndex
from reverie.index.remembering import refresh, rereading
from reverie.model.sections import IndexSection, SafetySection


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "pkg" / "deep" / "data").mkdir(parents=True)
    (root / "pkg" / "__init__.py").write_text("def f(): ...\n")
    (root / "pkg" / "deep" / "a.py").write_text("def g(): ...\n")
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\nversion = '1'\n")
    (root / "gone.py").symlink_to(tmp_path / "nothing.py")
    return root


@pytest.fixture(params=["journal", "process"])
def index(
    request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RememberedIndex]:
    monkeypatch.setattr(rereading, "FRESH_NS", 0)  # the time of a change cannot be made older
    monkeypatch.setattr(refresh, "FRESH_NS", 0)
    url = f"sqlite:///{folder.parent}/journal.db" if request.param == "journal" else None
    with open_index(folder, IndexSection(), SafetySection(), url) as opened:
        yield opened


def _touch(path: Path) -> None:
    os.utime(path, (5, 5))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file is written": lambda root: (root / "pkg" / "deep" / "a.py").write_text("x = 1\n"),
    "times are set back": lambda root: _touch(root / "pkg" / "__init__.py"),
    "a file is added": lambda root: (root / "pkg" / "deep" / "data" / "b.py").write_text(""),
    "a file is removed": lambda root: (root / "pkg" / "deep" / "a.py").unlink(),
    "a file is renamed": lambda root: (root / "pkg" / "deep" / "a.py").rename(root / "c.py"),
    "a folder is added": lambda root: (root / "pkg" / "more").mkdir(),
    "the project is written": lambda root: (root / "pyproject.toml").write_text(""),
    "a link leads somewhere": lambda root: (root.parent / "nothing.py").write_text(""),
    "a folder is a virtual environment": lambda root: (root / "pkg" / "pyvenv.cfg").write_text(""),
    "the repository is a package": lambda root: (root / "__init__.py").write_text(""),
}


def test_an_index_is_current_once_it_was_brought_up_to_date(index: RememberedIndex) -> None:
    assert not index.is_current()
    index.refresh()
    assert index.is_current()


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_changes_is_seen(index: RememberedIndex, change: Callable[[Path], object]) -> None:
    index.refresh()
    change(index.root)
    assert not index.is_current()
    index.refresh()
    assert index.is_current()


def test_another_way_to_read_is_a_change(index: RememberedIndex) -> None:
    index.refresh()
    for section in (
        IndexSection(exclude=("deep",)),
        IndexSection(roots=("pkg",)),
        IndexSection(max_file_mb=3),
    ):
        assert not replace(index, section=section).is_current()


def test_what_is_fresh_is_looked_at_again(
    index: RememberedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "FRESH_NS", 10**15)
    index.refresh()
    assert not index.is_current()
