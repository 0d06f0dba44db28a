"""A sheet answers as the index does, for as long as nothing changed that it was made from."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.index import ProcessMemory, RememberedIndex
from reverie.index.remembering import refresh, rereading
from reverie.index.remembering.sheet import read_sheet, sheet_bytes
from reverie.index.remembering.sheet_laying import SheetPlace
from reverie.index.search import read_question
from reverie.model.sections import IndexSection, SafetySection

SOURCES = (3, 0)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RememberedIndex:
    monkeypatch.setattr(rereading, "FRESH_NS", 0)  # the time of a change cannot be made older
    monkeypatch.setattr(refresh, "FRESH_NS", 0)
    root = tmp_path / "repository"
    (root / "pkg\nname").mkdir(parents=True)
    (root / "pkg\nname" / "a.py").write_text("def parse(text: str) -> int:\n    'Reads \x1f.'\n")
    (root / "b.py").write_text("def parse_date(): 'é'\n")
    os.mkdir(os.fsencode(root) + b"/\xff")
    (root / "gone.py").symlink_to(tmp_path / "nothing.py")
    place = SheetPlace(tmp_path / "search.sheet", SOURCES)
    memory = ProcessMemory()
    return RememberedIndex(root, IndexSection(), SafetySection().tier_of, memory, sheet=place)


def _is_current(index: RememberedIndex, sources: tuple[int, ...] = SOURCES) -> bool:
    assert index.sheet is not None
    sheet = read_sheet(str(index.sheet.path))
    return sheet is not None and sheet.is_current(str(index.root), sources)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file is written": lambda root: (root / "b.py").write_text("x = 1\n"),
    "a file is added": lambda root: (root / "pkg\nname" / "c.py").write_text(""),
    "a folder is added": lambda root: os.mkdir(os.fsencode(root) + b"/\xff/x"),
    "a link leads somewhere": lambda root: (root.parent / "nothing.py").write_text(""),
    "the repository is a package": lambda root: (root / "__init__.py").write_text(""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_it_is_current_until_something_changes(
    index: RememberedIndex, change: Callable[[Path], object]
) -> None:
    index.refresh()
    assert _is_current(index)
    change(index.root)
    assert not _is_current(index)
    index.refresh()
    assert _is_current(index)


def test_other_sources_of_settings_are_a_change(index: RememberedIndex) -> None:
    index.refresh()
    assert not _is_current(index, (4, 0))
    assert not _is_current(index, (3, 1))


def test_it_is_not_laid_while_files_are_fresh(
    index: RememberedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "FRESH_NS", 10**15)
    index.refresh()
    assert index.sheet is not None
    assert not index.sheet.path.exists()


@pytest.mark.parametrize("question", ["parse", "date é", "(str) -> int", "parse (_)", "nothing"])
def test_it_knows_what_the_index_knows(index: RememberedIndex, question: str) -> None:
    index.refresh()
    assert index.sheet is not None
    sheet, asked = read_sheet(str(index.sheet.path)), read_question(question)
    assert sheet is not None
    found = sheet.candidates(asked)
    symbols = [found.read(at) for at in range(len(found.words))]
    assert symbols == index.memory.find_symbols(asked.stems, only_shaped="(" in question)
    paths = {each.path for each in symbols}
    assert sheet.module_names(paths) == index.memory.module_names(paths)


def test_it_is_written_only_when_it_would_say_something_else(index: RememberedIndex) -> None:
    index.refresh()
    assert index.sheet is not None
    before = index.sheet.path.stat().st_ino
    index.refresh()
    assert index.sheet.path.stat().st_ino == before
    (index.root / "b.py").write_text("x = 1\n")
    index.refresh()
    assert index.sheet.path.stat().st_ino != before
    assert [each.name for each in index.root.parent.iterdir() if "sheet" in each.name] == [
        "search.sheet"
    ]


def test_where_it_cannot_be_written_there_is_none(index: RememberedIndex) -> None:
    assert index.sheet is not None
    index.sheet.path.mkdir()
    index.refresh()
    assert index.is_current()
    assert [each.name for each in index.sheet.path.parent.iterdir() if "sheet" in each.name] == [
        "search.sheet"
    ]


def test_what_is_no_sheet_is_told_from_one(index: RememberedIndex) -> None:
    index.refresh()
    assert index.sheet is not None
    path = index.sheet.path
    whole = path.read_bytes()
    few = b"reverie sheet 1 2 1\nabc"
    for other in (b"", b"other", whole[:-1], whole[:20], whole + b"x", b"x" + whole, few):
        path.write_bytes(other)
        assert read_sheet(str(path)) is None
    path.unlink()
    assert read_sheet(str(path)) is None
    os.mkfifo(path)
    assert read_sheet(str(path)) is None
    assert read_sheet(str(path.parent)) is None


def test_it_survives_its_way_through_a_file(index: RememberedIndex) -> None:
    index.refresh()
    assert index.sheet is not None
    sheet = read_sheet(str(index.sheet.path))
    assert sheet is not None
    assert sheet_bytes(sheet) == index.sheet.path.read_bytes()
