"""Backup, restore, vacuum and locks, on both kinds of database."""

import gzip
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from reverie.errors import Refused, UsageError
from reverie.store import ExecutionRecorder, Journal, history, journal_url, prune
from reverie.store.alone import held_in_journal
from reverie.store.archive import lines_of, read_in
from reverie.store.vacuum import size_of, vacuum
from reverie.testing.executions import FIRST_START, finished


def filled(url: str, count: int = 5) -> Journal:
    journal = Journal.open(url)
    with ExecutionRecorder(journal) as recorder:
        for number in range(count):
            recorder(*finished(number))
    return journal


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return journal_url(tmp_path / "one")
    found: str = request.getfixturevalue("postgres_url")
    return found


def test_what_is_archived_comes_back_in_the_other_kind(url: str, tmp_path: Path) -> None:
    with filled(url) as journal, Journal.open(journal_url(tmp_path / "two")) as other:
        lines = list(lines_of(journal))
        archived = read_in(other, lines)
        assert history(other) == history(journal)
        assert archived.rows == len(lines) - 2
        assert list(lines_of(other))[1:] == lines[1:]


def test_an_archive_goes_into_either_kind_and_is_written_on(url: str, tmp_path: Path) -> None:
    with filled(journal_url(tmp_path / "two")) as journal, Journal.open(url) as other:
        read_in(other, lines_of(journal))
        with ExecutionRecorder(other) as recorder:
            recorder(*finished(77))
        assert len(history(other)) == 6


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[:-3] + lines[-2:],
        lambda lines: [*lines[:-2], lines[-2].replace(b"}", b" }"), lines[-1]],
        lambda lines: [lines[0], b'{"table": "sqlite_master", "row": []}\n', *lines[1:]],
        lambda lines: [b"{}\n", *lines[1:]],
        lambda lines: [lines[0].replace(b'"00', b'"99'), *lines[1:]],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [],
        lambda lines: [lines[0], b"\xff\n"],
    ],
)
def test_a_damaged_archive_changes_nothing(tmp_path: Path, damage: Callable) -> None:
    with (
        filled(journal_url(tmp_path / "one")) as journal,
        Journal.open(journal_url(tmp_path / "two")) as other,
    ):
        before = list(lines_of(other))
        with pytest.raises(UsageError):
            read_in(other, damage(list(lines_of(journal))))
        assert list(lines_of(other)) == before


def test_a_journal_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    with filled(journal_url(tmp_path / "one")) as journal:
        lines = list(lines_of(journal))
        with pytest.raises(UsageError, match="not empty"):
            read_in(journal, lines)
        assert list(lines_of(journal)) == lines


def test_pruning_and_vacuum_give_space_back(url: str) -> None:
    with filled(url, 2000) as journal:
        before = size_of(journal)
        assert prune(journal, FIRST_START + timedelta(days=1)) == 2000
        size = vacuum(journal)
        assert before is not None
        assert size.after is not None
        assert size.after < before
        assert history(journal) == ()


def test_one_holder_over_all_machines(request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("postgres_url")
    with Journal.open(url) as one, Journal.open(url) as two:
        with held_in_journal(one, "cycle /a", "a cycle"):
            with (
                pytest.raises(Refused, match="shares the journal"),
                held_in_journal(two, "cycle /a", "a cycle"),
            ):
                pass
            with held_in_journal(two, "cycle /b", "a cycle"):
                pass
        with held_in_journal(two, "cycle /a", "a cycle"):
            pass


def test_the_commands(cli: Callable, repository: Path, tmp_path: Path) -> None:
    filled(journal_url(repository)).close()
    where, file = ("--repo", str(repository)), str(tmp_path / "journal.gz")
    assert cli("backup", file, "--json", *where).document["rows"] > 5
    assert cli("backup", file, *where).code == 2
    assert cli("restore", file, *where).code == 2
    new = ("--journal-url", journal_url(tmp_path / "new"))
    assert cli("restore", file, "--json", *where, *new).code == 0
    shown = cli("history", "--json", *where, *new).document
    assert len(shown["executions"]) == 5
    pruned = cli("prune", "--older-than", "1", "--vacuum", "--json", *where).document
    assert pruned["executions"] == 5


def test_bad_files_are_one_line(cli: Callable, repository: Path, tmp_path: Path) -> None:
    (repository / ".reverie").mkdir(exist_ok=True)
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"{}\n" * 9999)[:-9])
    for file in (cut, tmp_path / "absent.gz", tmp_path):
        ran = cli("restore", str(file), "--repo", str(repository))
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.count("\n") == 1
