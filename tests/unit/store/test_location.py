import sys
from pathlib import Path

import pytest

from reverie.errors import ConfigError, StoreError
from reverie.store import Journal, journal_url
from reverie.store.database.backend import backend_for
from reverie.store.database.sqlite import SqliteBackend

SECRET = "hunter2%2Fx"


def test_the_journal_lives_inside_the_repository(tmp_path: Path) -> None:
    assert journal_url(tmp_path) == f"sqlite:///{tmp_path}/.reverie/journal.db"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["plain", "sp ace", "per%20cent", "ques?tion", "#hash", "ü", "\udcff"]
)
def test_any_path_makes_a_url_and_back(tmp_path: Path, name: str) -> None:
    backend = backend_for(journal_url(tmp_path / name))
    assert isinstance(backend, SqliteBackend)
    assert backend.path == tmp_path / name / ".reverie" / "journal.db"


@pytest.mark.parametrize(
    "url", ["postgres://h/db", "postgresql://h/db", "postgresql+psycopg://h/db"]
)
def test_postgresql_has_three_spellings(url: str) -> None:
    backend = backend_for(url)
    assert backend.dialect == "postgresql+psycopg"
    assert backend.location == "postgresql://h/db"


@pytest.mark.parametrize(
    "url",
    ["", "journal.db", "sqlite://", "sqlite:///", "sqlite:///:memory:", "mysql://me:hunter2@h/d"],
)
def test_other_urls_are_refused_without_repeating_them(url: str) -> None:
    with pytest.raises(ConfigError, match="postgresql://") as caught:
        backend_for(url)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://me:{SECRET}@localhost:1/db",
        f"postgresql://me:{SECRET}@/db?host=/nowhere",
        f"postgresql:///db?host=/nowhere&user=me&password={SECRET}",
        f"postgresql://me:{SECRET}@localhost:1/db?nonsense=1",
        f"postgresql://me:{SECRET}@localhost:port/db",
        f"postgresql://me:{SECRET}@[localhost/db",
        f"postgresql://me:{SECRET}@local host:1/db?sslmode=maybe",
    ],
)
def test_a_password_is_never_printed(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        Journal.open(url)
    error: BaseException | None = caught.value
    assert "\n" not in str(error)
    while error is not None:
        for secret in (SECRET, "hunter2/x", "hunter2"):
            assert secret not in str(error)
        error = None if error.__suppress_context__ else error.__context__
    assert SECRET not in repr(backend_for(url))


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigError, match=r"reverie\[postgres\]"):
        Journal.open("postgresql://localhost/db")
