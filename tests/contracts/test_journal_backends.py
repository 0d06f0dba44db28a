"""Every place a journal can live is held to the same contract."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from reverie.store import Journal, journal_url
from reverie.store.schema import metadata
from reverie.store.version import VERSION_TABLE
from reverie.testing.journal import JournalContract


class MigratedContract(JournalContract):
    def test_migrations_end_at_the_schema(self, journal: Journal) -> None:
        with journal.reading() as connection:
            context = MigrationContext.configure(
                connection, opts={"version_table": VERSION_TABLE, "compare_type": True}
            )
            assert compare_metadata(context, metadata) == []


class TestSqlite(MigratedContract):
    @pytest.fixture
    def journal_url(self, tmp_path: Path) -> str:
        return journal_url(tmp_path)


class TestPostgres(MigratedContract):
    @pytest.fixture
    def journal_url(self, postgres_url: str) -> str:
        return postgres_url
