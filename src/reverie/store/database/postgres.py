"""The journal in PostgreSQL, for several machines or a team.

All tables live in a schema of their own, so that the database of `DATABASE_URL` may also be
the application's. The driver, psycopg 3, comes with the extra `reverie[postgres]`.
"""

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

from reverie.errors import ConfigError, StoreError
from reverie.store.database.backend import POSTGRES_SCHEMA, VERSION_TABLE, Connection
from reverie.store.scalars import one_line

CONNECT_SECONDS = 10
_NO_COMPILING = "SELECT set_config(name, 'off', false) FROM pg_settings WHERE name = 'jit'"
"""Our statements read few rows: compiling one takes longer than running it."""
# Numbers that nobody else is likely to lock.
_MIGRATION_LOCK = 0x5265766572696500
_WRITING_LOCK = 0x5265766572696501


@dataclass(frozen=True, slots=True)
class PostgresBackend:
    """A PostgreSQL database, by libpq URI."""

    uri: str = field(repr=False)
    dialect: str = "postgresql+psycopg"
    placeholder: str = "%s"
    greatest: str = "greatest"
    least: str = "least"
    begin_batch: str | None = None
    begin_writing: str = f"SELECT pg_advisory_xact_lock({_WRITING_LOCK})"
    begin_reading: str = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

    @property
    def location(self) -> str:
        """Host and database, without user and password."""
        try:
            parts = urlsplit(self.uri)
            host = parts.hostname or parse_qs(parts.query).get("host", ["localhost"])[0]
        except ValueError:
            return "postgresql://(unreadable)"
        return one_line(f"postgresql://{host}{parts.path}")

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """Everything psycopg raises."""
        return (_psycopg().Error,)

    def connect(self) -> Connection:
        """A connection whose unqualified names are the journal's."""
        return cast(Connection, self._connect())

    def installed_version(self) -> str | None:
        """Schema version of the journal's schema; None when it has no tables yet."""
        connection = self._connect()
        try:
            cursor = connection.cursor()
            cursor.execute("SELECT to_regclass(%s)", [f"{POSTGRES_SCHEMA}.{VERSION_TABLE}"])
            if cursor.fetchone()[0] is None:
                return None
            row = cursor.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
        except self.errors as error:
            raise self._failure(error) from None
        finally:
            connection.close()
        if row is None:
            raise StoreError(f"the journal {self.location} has lost its schema version")
        return str(row[0])

    def prepare(self) -> None:
        """Make the schema. Its owner may have made it already, for a user who may not."""
        connection = self._connect()
        try:
            cursor = connection.cursor()
            cursor.execute(self.lock_migrations())
            cursor.execute("SELECT to_regnamespace(%s)", [POSTGRES_SCHEMA])
            if cursor.fetchone()[0] is None:
                cursor.execute(f"CREATE SCHEMA {POSTGRES_SCHEMA}")
            connection.commit()
        except self.errors as error:
            raise self._failure(error) from None
        finally:
            connection.close()

    def lock_migrations(self) -> str:
        """An advisory lock until the end of the transaction."""
        return f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"

    def describe(self, error: BaseException) -> str:
        """libpq's own words; it may repeat a URI it could not read, so the secrets are cut."""
        text = one_line(error)
        for secret in self._secrets():
            text = text.replace(secret, "***")
        return text

    def _connect(self) -> Any:
        psycopg = _psycopg()
        try:
            connection = psycopg.connect(self.uri, connect_timeout=CONNECT_SECONDS, autocommit=True)
        except psycopg.Error as error:
            raise self._failure(error) from None
        try:
            connection.execute(f"SET search_path TO {POSTGRES_SCHEMA}")
            connection.execute(_NO_COMPILING)
            connection.autocommit = False
        except psycopg.Error as error:
            connection.close()
            raise self._failure(error) from None
        return connection

    def _failure(self, error: Exception) -> StoreError:
        # Raised `from None`: the chained error could print what `describe` has cut.
        return StoreError(f"the journal {self.location} cannot be used: {self.describe(error)}")

    def _secrets(self) -> list[str]:
        credentials = self.uri.partition("://")[2].rpartition("@")[0]
        password = credentials.partition(":")[2]
        query = parse_qs(self.uri.partition("?")[2])
        found = {password, unquote(password), *query.get("password", []), self.uri}
        return sorted((secret for secret in found if secret), key=len, reverse=True)


def _psycopg() -> ModuleType:
    try:
        import psycopg
    except ImportError as error:
        raise ConfigError(
            "a PostgreSQL journal needs psycopg 3: pip install 'reverie[postgres]'"
        ) from error
    return psycopg
