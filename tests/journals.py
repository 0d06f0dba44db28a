"""New SQLite journals for the tests, without migrating each anew."""

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from reverie.store import journal_url
from reverie.store.database import migrate
from reverie.store.database.backend import Backend, backend_for
from reverie.store.database.sqlite import SqliteBackend

_MIGRATE = migrate.upgrade


class Copies:
    """A journal that is not there yet is a copy of one that the migrations made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._template: Path | None = None
        self._one_at_a_time = threading.Lock()

    def upgrade(self, backend: Backend) -> None:
        """In place of the migrations; whatever is there already is left to them."""
        if not isinstance(backend, SqliteBackend) or not self._laid(backend):
            _MIGRATE(backend)

    def _laid(self, backend: SqliteBackend) -> bool:
        if backend.path.exists():
            return False
        backend._make_folder()
        if not backend.path.parent.is_dir():
            return False
        beside = backend.path.with_name(f"{backend.path.name}.{uuid4().hex}")
        try:
            shutil.copyfile(self._made(), beside)
            os.link(beside, backend.path)  # never over somebody else's
        except OSError:
            return False
        finally:
            beside.unlink(missing_ok=True)
        return True

    def _made(self) -> Path:
        with self._one_at_a_time:
            if self._template is None:
                backend = backend_for(journal_url(self.folder))
                assert isinstance(backend, SqliteBackend)
                _MIGRATE(backend)
                self._template = backend.path
            return self._template


@pytest.fixture(scope="session", autouse=True)
def copied_journals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrate, "upgrade", Copies(tmp_path_factory.mktemp("journal")).upgrade)
        yield


@pytest.fixture
def migrated_journals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every journal is made by the migrations."""
    monkeypatch.setattr(migrate, "upgrade", _MIGRATE)
