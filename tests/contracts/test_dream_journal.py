"""Every place a journal can live keeps dreams alike."""

from pathlib import Path

import pytest
from tests.postgres import Server

from reverie.store import journal_url
from reverie.testing.cycles import DreamContract


class TestSqlite(DreamContract):
    @pytest.fixture
    def journal_url(self, tmp_path: Path) -> str:
        return journal_url(tmp_path)


class TestPostgres(DreamContract):
    @pytest.fixture
    def journal_url(self, postgres: Server) -> str:
        return postgres.new_journal()
