"""From a URL to the place it names."""

from pathlib import Path

from reverie.errors import ConfigError
from reverie.store.backend import Backend

JOURNAL_FOLDER = ".reverie"
JOURNAL_FILE = "journal.db"

_SQLITE = "sqlite:///"
_POSTGRES = ("postgres://", "postgresql://", "postgresql+psycopg://")


def journal_url(repository: Path) -> str:
    """The URL of the journal that lives inside a repository."""
    return _SQLITE + str(repository.resolve() / JOURNAL_FOLDER / JOURNAL_FILE)


def backend_for(url: str) -> Backend:
    """The backend that a journal URL names.

    What follows `sqlite:///` is a path, taken literally. Only the scheme of a URL is ever
    repeated in an error: the rest may hold a password.
    """
    if url.startswith(_SQLITE) and url.removeprefix(_SQLITE) not in ("", ":memory:"):
        from reverie.store.sqlite import SqliteBackend

        return SqliteBackend(Path(url.removeprefix(_SQLITE)))
    if url.startswith(_POSTGRES):
        from reverie.store.postgres import PostgresBackend

        return PostgresBackend("postgresql://" + url.partition("://")[2])
    scheme = url.partition("://")[0] if "://" in url else ""
    raise ConfigError(
        f"a journal URL starts with sqlite:///PATH, postgresql:// or postgres://, not {scheme!r}"
    )
