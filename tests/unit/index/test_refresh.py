"""Only what changed is read again, and the result is as if everything had been."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.bootstrap import open_index
from reverie.errors import StoreError
from reverie.index import RememberedIndex, read_repository
from reverie.index.remembering import rereading
from reverie.model.sections import IndexSection, SafetySection
from reverie.store import CodeIndexMemory, Journal

DOCUMENTED = """
def f(x: int = 1) -> str:
    '''Doc \\0.

    >>> f(2)
    '''
    yield x
"""
CALLING = """
import typing
from pkg import f
class B(f):
    async def m(self): f('é', k=1)
"""
FILES = {
    "pkg/__init__.py": "from .a import f\n",
    "pkg/a.py": DOCUMENTED,
    "pkg/b.py": CALLING,
    "broken.py": "def (\n",
    "tests/test_a.py": "import pkg.a\n__all__ = ['x']\nassert pkg.a.f(3) == 'pkg.b'\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for path, content in FILES.items():
        write(root / path, content)
    return root


def write(path: Path, content: str, age: float = 100) -> None:
    """A file whose times say that it was written long enough ago to be believed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    moment = path.stat().st_mtime - age
    os.utime(path, (moment, moment))


@pytest.fixture(params=["journal", "process"])
def index(
    request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RememberedIndex]:
    monkeypatch.setattr(rereading, "FRESH_NS", 0)  # the time of a change cannot be made older
    url = f"sqlite:///{folder.parent}/journal.db" if request.param == "journal" else None
    with open_index(folder, IndexSection(), SafetySection(), url) as opened:
        yield opened


def afresh(index: RememberedIndex) -> object:
    return read_repository(index.root, index.section, index.tier_of)


def test_what_is_loaded_is_what_is_read_afresh(index: RememberedIndex) -> None:
    refreshed = index.refresh()
    assert (refreshed.read, refreshed.removed) == (5, 0)
    assert refreshed.errors == {"broken.py": "line 1: invalid syntax"}
    assert index.load() == afresh(index)


def test_nothing_changed_reads_nothing(
    index: RememberedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = index.refresh()
    monkeypatch.setattr(rereading, "read_found", None)
    second = index.refresh()
    assert (second.read, second.unchanged, second.removed) == (0, 5, 0)
    assert (second.totals, second.errors) == (first.totals, first.errors)


def test_one_change_reads_one_file(index: RememberedIndex) -> None:
    index.refresh()
    write(index.root / "pkg" / "a.py", "import pkg.b\ndef f(): pass\ndef new(): pass\n", age=50)
    refreshed = index.refresh()
    assert (refreshed.read, refreshed.unchanged) == (1, 4)
    assert refreshed.totals.functions == 2
    assert ("pkg.a", "pkg.b") in index.load().edges
    assert index.load() == afresh(index)
    assert [hit.found.symbol.qualname for hit in index.search("new", 5)] == ["new"]


def test_a_touched_file_is_not_read_twice(index: RememberedIndex) -> None:
    index.refresh()
    write(index.root / "pkg" / "a.py", FILES["pkg/a.py"], age=10)
    assert index.refresh().read == 0
    known = index.memory.known_files()["pkg/a.py"]
    assert known.signature.partition(".")[0] == str(len(FILES["pkg/a.py"].encode()))


def test_what_is_gone_is_forgotten_and_what_is_new_is_found(index: RememberedIndex) -> None:
    index.refresh()
    (index.root / "pkg" / "b.py").unlink()
    write(index.root / "pkg" / "c.py", "def shiny(): pass\n")
    refreshed = index.refresh()
    assert (refreshed.read, refreshed.removed, refreshed.totals.modules) == (1, 1, 5)
    assert index.load() == afresh(index)
    assert not index.search("B", 5) or index.search("B", 5)[0].found.path != "pkg/b.py"
    assert index.search("shiny", 5)[0].found.path == "pkg/c.py"
    assert index.memory.module_names(["pkg/c.py"]) == {"pkg/c.py": "pkg.c"}


def test_a_new_package_may_rename_others(index: RememberedIndex) -> None:
    write(index.root / "lib" / "beta" / "__init__.py", "")
    index.refresh()
    assert index.memory.known_files()["lib/beta/__init__.py"].name == "beta"
    write(index.root / "use.py", "import lib.beta\n")
    index.refresh()
    assert index.memory.known_files()["lib/beta/__init__.py"].name == "lib.beta"


def test_a_change_of_the_project_file_is_seen(index: RememberedIndex) -> None:
    index.refresh()
    write(index.root / "pyproject.toml", "[tool.setuptools.packages.find]\nwhere = ['tests']\n")
    assert index.refresh().read == 0
    assert index.memory.known_files()["tests/test_a.py"].name == "test_a"


def test_other_limits_read_everything_again(index: RememberedIndex) -> None:
    index.refresh()
    other = replace(index, section=IndexSection(max_file_mb=2))
    assert other.refresh().read == 5
    assert other.refresh().read == 0


def test_a_file_that_is_too_fresh_is_looked_at_again(
    index: RememberedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rereading, "FRESH_NS", 10**15)
    index.refresh()
    assert {each.signature for each in index.memory.known_files().values()} == {""}
    path = index.root / "pkg" / "a.py"
    about = path.stat()
    path.write_text(path.read_text().replace("int", "str"))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert index.refresh().read == 1


def test_an_index_that_was_broken_off_goes_on_where_it_was(
    index: RememberedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rereading, "_BATCH_CHARACTERS", 0)

    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.refresh(stop)
    assert index.memory.known_index() is None
    assert index.refresh().read == 2
    assert index.load() == afresh(index)


def test_two_repositories_share_a_journal(folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "second" / "one.py", "def only_here(): pass\n")
    url = f"sqlite:///{tmp_path}/journal.db"
    for root, modules in ((folder, 5), (tmp_path / "second", 1)):
        with open_index(root, IndexSection(), SafetySection(), url) as index:
            assert index.refresh().totals.modules == modules
    with open_index(folder, IndexSection(), SafetySection(), url) as index:
        assert index.refresh().totals.modules == 5
        assert index.search("only_here", 3) == []


@pytest.mark.parametrize("column", ["facts", "imports"])
@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", "[[1]]", '[["a"]]'])
def test_facts_that_nobody_wrote_are_an_error_of_the_journal(
    folder: Path, tmp_path: Path, column: str, text: str
) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db") as journal:
        memory = CodeIndexMemory(journal, str(folder))
        index = RememberedIndex(folder, IndexSection(), SafetySection().tier_of, memory)
        index.refresh()
        with journal.driver_cursor(writing=True) as cursor:
            cursor.execute(f"UPDATE indexed_files SET {column} = ?", [text])
        with pytest.raises(StoreError, match=r"broken\.py"):
            index.load()
