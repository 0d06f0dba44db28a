import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from reverie.errors import StoreError, UsageError
from reverie.model.outcome import TestOutcome
from reverie.store import (
    ExecutionRecorder,
    Journal,
    details,
    failure_patterns,
    history,
    journal_url,
    save_rule,
    statistics,
)
from reverie.store.database.archive import lines_of
from reverie.store.database.backend import SCHEMA_VERSION, VERSION_TABLE, Connection, backend_for
from reverie.store.database.sqlite import SqliteBackend
from reverie.testing.fakes import finished


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a journal that exists."""
    Journal.open(journal_url(tmp_path)).close()
    return tmp_path / ".reverie" / "journal.db"


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()


def change_any(url: str, statement: str) -> None:
    with closing(backend_for(url).connect()) as connection:
        connection.cursor().execute(statement)
        connection.commit()


def rows_of(url: str) -> list[bytes]:
    """Everything that a journal holds."""
    with Journal(backend_for(url)) as journal:
        return list(lines_of(journal))


def place(url: str) -> str:
    return re.escape(backend_for(url).location)


def test_a_new_folder_is_ignored_by_git(path: Path) -> None:
    assert (path.parent / ".gitignore").read_text() == "*\n!/baseline.json\n"


def test_an_existing_folder_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / ".reverie").mkdir()
    Journal.open(journal_url(tmp_path)).close()
    assert not (tmp_path / ".reverie" / ".gitignore").exists()


def test_the_version_is_that_of_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", "reverie.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [SCHEMA_VERSION]


def test_kept_connections_see_a_file_that_took_the_place_of_another(
    path: Path, tmp_path: Path
) -> None:
    (tmp_path / "b").mkdir()
    other = tmp_path / "b" / ".reverie" / "journal.db"
    with Journal.open(journal_url(tmp_path / "b")) as journal, ExecutionRecorder(journal) as record:
        record(*finished(1))
    with Journal.open(f"sqlite:///{path}").pooled() as kept:
        assert history(kept) == ()
        assert history(kept) == ()
        os.replace(other, path)
        assert len(history(kept)) == 1


def test_connections_are_kept_where_they_are_wanted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    connect = SqliteBackend.connect
    monkeypatch.setattr(SqliteBackend, "connect", lambda self: opened.append(self) or connect(self))
    with Journal.open(f"sqlite:///{path}") as journal:
        assert [history(journal), history(journal)] == [(), ()]
        assert len(opened) == 2
    with Journal.open(f"sqlite:///{path}").pooled() as journal:
        assert [history(journal), history(journal)] == [(), ()]
        assert len(opened) == 3


def test_a_connection_is_set_up_for_several_processes(path: Path) -> None:
    pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "trusted_schema")
    with closing(SqliteBackend(path).connect()) as connection:
        cursor = connection.cursor()
        values = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
    assert values == ["wal", 1, 1, 30_000, 0]


def test_a_journal_of_a_newer_reverie_is_not_touched(any_url: str) -> None:
    change_any(any_url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    before = rows_of(any_url)
    with pytest.raises(StoreError, match=rf"{place(any_url)}.* newer Reverie \(schema 9999"):
        Journal.open(any_url)
    assert rows_of(any_url) == before


@pytest.mark.parametrize(
    "damage",
    [
        f"UPDATE {VERSION_TABLE} SET version_num = 'spam'",
        f"DELETE FROM {VERSION_TABLE}",
        f"DROP TABLE {VERSION_TABLE}",
    ],
)
def test_a_journal_without_a_version_is_refused(any_url: str, damage: str) -> None:
    change_any(any_url, damage)
    with pytest.raises(StoreError, match=place(any_url)):
        Journal.open(any_url)


def test_somebody_elses_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "app.db"
    change(path, "CREATE TABLE users (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a Reverie journal"):
        Journal.open(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.touch()
    with Journal.open(f"sqlite:///{path}") as journal:
        assert history(journal) == ()


@pytest.mark.parametrize("content", [b"not a database, but long enough" * 99, b"\0" * 4096])
def test_a_file_that_is_no_database_is_named_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        Journal.open(f"sqlite:///{path}")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_a_damaged_journal_is_named_in_one_line(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught, Journal.open(f"sqlite:///{path}") as journal:
        history(journal)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=str(tmp_path)):
        Journal.open(f"sqlite:///{tmp_path}")


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / ".reverie").touch()
    with pytest.raises(StoreError, match=r"\.reverie"):
        Journal.open(journal_url(tmp_path))


def test_asking_about_a_journal_that_is_not_there_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no journal"):
        Journal.open(journal_url(tmp_path), create=False)
    assert not list(tmp_path.iterdir())


def test_asking_about_a_database_without_a_journal_makes_nothing(postgres_url: str) -> None:
    for _ in range(2):
        with pytest.raises(UsageError, match="no journal"):
            Journal.open(postgres_url, create=False)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE executions SET outcome = 'splendid'",
        "UPDATE executions SET isolation = '7'",
        "UPDATE executions SET started_at_us = 9223372036854775807",
        "UPDATE terms SET policy = '[]'",
        "UPDATE terms SET limits = '{'",
        "UPDATE failure_patterns SET category = 'fate'",
        "DROP TABLE executions",
    ],
)
def test_a_journal_made_by_somebody_else_is_an_error_or_data(any_url: str, damage: str) -> None:
    require_told(any_url, damage)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE executions SET started_at_us = 'noon'",
        "UPDATE executions SET duration_ms = 'soon'",
        "UPDATE terms SET limits = replace(hex(zeroblob(100000)), '0', '[')",
        "UPDATE failure_patterns SET first_seen_us = 'noon'",
        "DROP INDEX executions_by_time",  # which queries name
    ],
)
def test_a_file_takes_values_of_any_type_and_they_are_an_error(path: Path, damage: str) -> None:
    require_told(f"sqlite:///{path}", damage)


def require_told(url: str, damage: str) -> None:
    with Journal.open(url) as journal:
        request, execution = finished(outcome=TestOutcome.RUNTIME_ERROR)
        with ExecutionRecorder(journal) as recorder:
            recorder(request, execution)
        change_any(url, damage)
        errors = []
        for query in (history, statistics, failure_patterns, lambda j: details(j, execution.id)):
            try:
                query(journal)
            except StoreError as error:
                errors.append(str(error))
        assert errors
        assert not [error for error in errors if "\n" in error]


def insert_twice(journal: Journal) -> None:
    with journal.writing() as connection:
        for _ in range(2):
            connection.exec_driver_sql("INSERT INTO meta VALUES ('a', 'b')")


def test_a_failing_write_changes_nothing(any_url: str) -> None:
    with Journal.open(any_url) as journal:
        with pytest.raises(StoreError, match="cannot be written"):
            insert_twice(journal)
        with journal.reading() as connection:
            query = "SELECT count(*) FROM meta WHERE key = 'a'"
            assert connection.exec_driver_sql(query).scalar_one() == 0


def test_a_journal_that_vanished_is_a_store_error(path: Path) -> None:
    with Journal.open(f"sqlite:///{path}") as journal:
        shutil.rmtree(path.parent)
        with pytest.raises(StoreError, match=r"journal\.db"):
            save_rule(journal, "x", {}, True)


INSERT = "INSERT INTO indexed_repositories (place) VALUES ('/x')"


def insert_and_fail(journal: Journal, held: Connection, *, statement: str) -> None:
    with journal.driver_cursor(held, writing=True) as cursor:
        cursor.execute(INSERT)
        cursor.execute(statement)
        raise KeyError


@pytest.mark.parametrize(
    ("statement", "error"), [("INSERT INTO nowhere VALUES (1)", StoreError), ("SELECT 1", KeyError)]
)
def test_a_held_connection_goes_on_after_a_failed_transaction(
    any_url: str, statement: str, error: type[Exception]
) -> None:
    with Journal.open(any_url) as journal, journal.driver_connection() as held:
        with pytest.raises(error):
            insert_and_fail(journal, held, statement=statement)
        with journal.driver_cursor(held, writing=True) as cursor:
            cursor.execute(INSERT)
        with journal.driver_cursor(writing=False) as cursor:
            cursor.execute("SELECT count(*) FROM indexed_repositories")
            assert cursor.fetchone()[0] == 1


def modules_loaded_by(program: str) -> set[str]:
    """The database libraries in memory at the end of a program."""
    report = (
        "\nimport sys; print(*{'sqlite3', 'sqlalchemy', 'alembic', 'psycopg'} & {*sys.modules})"
    )
    command = [sys.executable, "-W", "error", "-c", program + report]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def test_importing_the_store_loads_no_database_library() -> None:
    assert modules_loaded_by("import reverie.store") == set()


def driver(url: str) -> str:
    return "sqlite3" if url.startswith("sqlite") else "psycopg"


def test_recording_into_a_current_journal_loads_only_the_driver(any_url: str) -> None:
    program = f"""
from reverie.store import ExecutionRecorder, Journal
from reverie.testing.fakes import finished
with Journal.open("{any_url}") as journal, ExecutionRecorder(journal) as recorder:
    recorder(*finished())
"""
    assert modules_loaded_by(program) == {driver(any_url)}


def test_reading_a_current_journal_loads_no_alembic(any_url: str) -> None:
    program = f"""
from reverie.store import Journal, history
with Journal.open("{any_url}") as journal:
    history(journal)
"""
    assert modules_loaded_by(program) - {"sqlite3"} == {driver(any_url), "sqlalchemy"} - {"sqlite3"}
