"""Creates a journal, or brings an older one up to date, in one transaction.

Imported only when there is something to do: Alembic costs more to load than most commands
take to run.
"""

import threading

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from reverie import __version__
from reverie.errors import StoreError
from reverie.store.database.backend import Backend, refuse_unknown_version

_ONE_AT_A_TIME = threading.Lock()  # Alembic keeps the running migration in globals


def upgrade(backend: Backend) -> None:
    """Apply every missing migration. Whoever comes second finds nothing left to do."""
    with _ONE_AT_A_TIME:
        backend.prepare()
        try:
            _upgrade_locked(backend)
        except DBAPIError as error:
            reason = backend.describe(error.orig or error)
            message = f"the journal {backend.location} cannot be brought up to date: {reason}"
            raise StoreError(message) from None


def _upgrade_locked(backend: Backend) -> None:
    engine = create_engine(f"{backend.dialect}://", creator=backend.connect, poolclass=NullPool)
    config = Config()
    config.set_main_option("script_location", "reverie.store:migrations")
    with engine.connect() as connection:
        connection.exec_driver_sql(backend.lock_migrations())
        # Another process may have migrated while we waited for the lock.
        version = backend.installed_version()
        if version is not None:
            refuse_unknown_version(version, backend.location)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if version is None:
            connection.exec_driver_sql(
                f"INSERT INTO meta (key, value) VALUES ('created_by', '{__version__}')"
            )
        connection.commit()
