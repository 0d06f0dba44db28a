"""Files read in the sandbox, a share per execution, give what reading them here gives."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import IsolationUnavailable
from reverie.index.discovery import FoundFile, survey
from reverie.index.remembering.rereading import Reading, read_here
from reverie.instruments import shared_reading
from reverie.instruments.shared_reading import SharedReading
from reverie.model.repository.indexed import KnownFile
from reverie.model.sections import IndexSection
from reverie.sandbox.engine import Sandbox

SECTION = IndexSection()
FILES = {
    "pkg/__init__.py": b"from .shapes import area\n__all__ = ['area']\n",
    "pkg/shapes.py": b'"""Shapes."""\n\ndef area(w: int, h: int = 2) -> int:\n    return w * h\n',
    "pkg/mark.py": b'\xef\xbb\xbfclass Mark:\n    """A \\ud800 mark."""\n    def go(self): ...\n',
    "pkg/latin.py": b"# coding: latin-1\nNAME = '\xe9t\xe9'\n",
    "pkg/broken.py": b"def (:\n",
    "pkg/deep.py": b"x = " + b"(" * 5000 + b")" * 5000 + b"\n",
    "tests/test_shapes.py": b"from pkg import area\ndef test_area():\n    assert area(6) == 12\n",
    "empty.py": b"",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with all kinds of files, old enough to be trusted."""
    for name, content in FILES.items():
        path = tmp_path / "repository" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "outside.py").write_text("secret = 1\n")
    (tmp_path / "repository" / "link.py").symlink_to("pkg/shapes.py")
    (tmp_path / "repository" / "out.py").symlink_to(tmp_path / "outside.py")
    (tmp_path / "repository" / "gone.py").symlink_to("nowhere.py")
    return tmp_path / "repository"


@pytest.fixture(autouse=True)
def _signatures_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reverie.index.remembering.rereading.FRESH_NS", 0)


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that has them."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


def _found(repository: Path) -> tuple[FoundFile, ...]:
    return survey(repository, SECTION.exclude).files


def _in_shares(repository: Path, share_bytes: int = 100) -> SharedReading:
    return SharedReading(repository, Sandbox, least_bytes=0, share_bytes=share_bytes)


def _by_path(readings: Iterator[Reading]) -> dict[str, Reading]:
    listed = list(readings)
    found = {each.path: each for each in listed}
    assert len(found) == len(listed)
    return found


@pytest.mark.usefixtures("two_cores")
def test_the_records_are_those_of_reading_here(repository: Path) -> None:
    found = _found(repository)
    here = _by_path(read_here(found, SECTION, {}))
    assert _by_path(_in_shares(repository)(found, SECTION, {})) == here
    assert len(here) == len(FILES) + 3


@pytest.mark.usefixtures("two_cores")
def test_known_content_has_no_record(repository: Path) -> None:
    found = _found(repository)
    first = _by_path(read_here(found, SECTION, {}))
    known = {
        path: KnownFile("", each.record.content_hash, "")
        for path, each in first.items()
        if each.record is not None
    }
    again = _by_path(_in_shares(repository)(found, SECTION, known))
    assert again == _by_path(read_here(found, SECTION, known))
    assert again["pkg/shapes.py"].record is None


@pytest.mark.usefixtures("two_cores")
def test_a_file_that_ends_its_reader_is_blamed_alone(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _found(repository)
    code = (
        "import os\nfrom reverie.index.remembering import rereading\n"
        "def read_share(files, max_file_mb):\n"
        "    if any(path == 'pkg/mark.py' for path, _, _ in files):\n        os.abort()\n"
        "    return rereading.read_share(files, max_file_mb)\n"
    )
    monkeypatch.setattr(shared_reading, "_CODE", code)
    read = _by_path(_in_shares(repository, 10_000_000)(found, SECTION, {}))
    blamed = read.pop("pkg/mark.py").record
    assert blamed is not None
    assert blamed.outline.error == shared_reading.ENDED
    here = _by_path(read_here(found, SECTION, {}))
    del here["pkg/mark.py"]
    assert read == here


@pytest.mark.usefixtures("two_cores")
def test_an_answer_that_makes_no_sense_is_not_believed(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def read_share(files, max_file_mb):\n    return '[[1, 2, 3]]'\n"
    monkeypatch.setattr(shared_reading, "_CODE", code)
    found = [each for each in _found(repository) if each.path == "empty.py"]
    read = _by_path(_in_shares(repository)(found, SECTION, {}))
    record = read["empty.py"].record
    assert record is not None
    assert record.outline.error == shared_reading.ENDED


@pytest.mark.usefixtures("two_cores")
def test_without_isolation_files_are_read_here(repository: Path) -> None:
    def none_works() -> Sandbox:
        raise IsolationUnavailable("no tier works")

    found = _found(repository)
    read = SharedReading(repository, none_works, least_bytes=0)(found, SECTION, {})
    assert _by_path(read) == _by_path(read_here(found, SECTION, {}))


@pytest.mark.parametrize("cores", [{0}, {0, 1}])
def test_little_to_read_or_one_core_opens_no_sandbox(
    repository: Path, monkeypatch: pytest.MonkeyPatch, cores: set[int]
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: cores)

    def opened() -> Sandbox:
        raise AssertionError("a sandbox was opened")

    least = 0 if len(cores) == 1 else shared_reading.LEAST_BYTES
    found = _found(repository)
    read = SharedReading(repository, opened, least_bytes=least)(found, SECTION, {})
    assert _by_path(read) == _by_path(read_here(found, SECTION, {}))
