"""Backup, restore, vacuum and locks, on both kinds of database."""

import gzip
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import Refused, UsageError
from reverie.store import ExecutionRecorder, Journal, history, journal_url, prune
from reverie.store.database.alone import held_in_journal
from reverie.store.database.archive import lines_of, read_in
from reverie.store.journal import size_of, vacuum
from reverie.testing.fakes import FIRST_START, finished


def filled(url: str, count: int = 5) -> Journal:
    journal = Journal.open(url)
    with ExecutionRecorder(journal) as recorder:
        for number in range(count):
            recorder(*finished(number))
    return journal


def test_what_is_archived_comes_back_in_the_other_kind(any_url: str, tmp_path: Path) -> None:
    with filled(any_url) as journal, Journal.open(journal_url(tmp_path / "two")) as other:
        lines = list(lines_of(journal))
        archived = read_in(other, lines)
        assert history(other) == history(journal)
        assert archived.rows == len(lines) - 2
        assert list(lines_of(other))[1:] == lines[1:]


def test_an_archive_goes_into_either_kind_and_is_written_on(any_url: str, tmp_path: Path) -> None:
    with filled(journal_url(tmp_path / "two")) as journal, Journal.open(any_url) as other:
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
def test_a_damaged_archive_changes_nothing(any_url: str, tmp_path: Path, damage: Callable) -> None:
    with filled(journal_url(tmp_path / "two")) as journal, Journal.open(any_url) as other:
        before = list(lines_of(other))
        with pytest.raises(UsageError):
            read_in(other, damage(list(lines_of(journal))))
        assert list(lines_of(other)) == before


def test_a_journal_that_is_not_empty_is_left_alone(any_url: str) -> None:
    with filled(any_url) as journal:
        lines = list(lines_of(journal))
        with pytest.raises(UsageError, match="not empty"):
            read_in(journal, lines)
        assert list(lines_of(journal)) == lines


def test_pruning_and_vacuum_give_space_back(any_url: str) -> None:
    with filled(any_url, 2000) as journal:
        before = size_of(journal)
        assert prune(journal, FIRST_START + timedelta(days=1)) == 2000
        size = vacuum(journal)
        assert before is not None
        assert size.after is not None
        assert size.after < before
        assert history(journal) == ()


def test_one_holder_over_all_machines(postgres_url: str) -> None:
    url = postgres_url
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


def test_the_commands(cli: Callable, repository: Path, tmp_path: Path, any_url: str) -> None:
    filled(any_url).close()
    file = str(tmp_path / "journal.gz")

    def ask(*line: str, url: str = any_url) -> Any:
        environ = {"REVERIE_JOURNAL_URL": url}
        return cli(*line, "--json", "--repo", str(repository), environ=environ)

    assert ask("backup", file).document["rows"] > 5
    assert ask("backup", file).code == 2
    assert ask("restore", file).code == 2
    new = journal_url(tmp_path / "new")
    assert ask("restore", file, url=new).code == 0
    assert len(ask("history", url=new).document["executions"]) == 5
    pruned = ask("prune", "--older-than", "1", "--vacuum").document
    assert (pruned["executions"], pruned["branches"]) == (5, [])


def test_bad_files_are_one_line(cli: Callable, repository: Path, tmp_path: Path) -> None:
    (repository / ".reverie").mkdir(exist_ok=True)
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"{}\n" * 9999)[:-9])
    for file in (cut, tmp_path / "absent.gz", tmp_path):
        ran = cli("restore", str(file), "--repo", str(repository))
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.count("\n") == 1
