"""Every place a journal can live is held to the same contract."""

from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.postgres import Server

from reverie.store import Journal, journal_url
from reverie.store.database.backend import VERSION_TABLE, backend_for
from reverie.store.schema import metadata
from reverie.testing.journal import JournalContract


class MigratedContract(JournalContract):
    @pytest.mark.usefixtures("migrated_journals")
    def test_migrations_end_at_the_schema(self, journal: Journal) -> None:
        with journal.reading() as connection:
            context = MigrationContext.configure(
                connection, opts={"version_table": VERSION_TABLE, "compare_type": True}
            )
            assert compare_metadata(context, metadata) == []


def laid(url: str) -> list[object]:
    """All that a file says of itself: its tables, what is in them, and how it is kept."""
    with closing(backend_for(url).connect()) as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        names = [name for (name,) in cursor.fetchall()]
        asked = ["PRAGMA journal_mode", "PRAGMA application_id", "PRAGMA user_version",
                 "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name",
                 *(f"SELECT * FROM {name}" for name in names)]  # fmt: skip
        found: list[object] = []
        for question in asked:
            cursor.execute(question)
            found.append(cursor.fetchall())
        return found


def test_the_journals_of_the_tests_are_as_the_migrations_make_them(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    copied, migrated = (journal_url(tmp_path / each) for each in ("copied", "migrated"))
    Journal.open(copied).close()
    request.getfixturevalue("migrated_journals")
    Journal.open(migrated).close()
    assert laid(copied) == laid(migrated)
    assert len(laid(copied)) > 20
    assert {path.name for path in (tmp_path / "copied" / ".reverie").iterdir()} == {
        path.name for path in (tmp_path / "migrated" / ".reverie").iterdir()
    }


class TestSqlite(MigratedContract):
    @pytest.fixture
    def journal_url(self, request: pytest.FixtureRequest, tmp_path: Path) -> str:
        if "journal" not in request.fixturenames:
            request.getfixturevalue("migrated_journals")
        return journal_url(tmp_path)


class TestPostgres(MigratedContract):
    @pytest.fixture
    def journal_url(self, request: pytest.FixtureRequest, postgres: Server) -> str:
        is_there = "journal" in request.fixturenames
        return postgres.new_journal() if is_there else postgres.new_database()
