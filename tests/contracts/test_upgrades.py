"""A journal of any earlier version is brought up to date with all its rows, wherever it lives."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from benchmarks.dashboard.data import Size, fill
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    Table,
    create_engine,
    insert,
    select,
    text,
)
from sqlalchemy.pool import NullPool

from reverie.store import ExecutionRecorder, Journal, history, journal_url
from reverie.store.database.backend import SCHEMA_VERSION, VERSION_TABLE, Backend, backend_for
from reverie.store.schema import metadata
from reverie.testing.fakes import finished

SIZE = Size(cycles=2, dreams=6, executions=8, patterns=2)
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", "reverie.store:migrations")
    return config


VERSIONS = sorted(each.revision for each in ScriptDirectory.from_config(alembic()).walk_revisions())


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that all these journals are about."""
    folder = tmp_path_factory.mktemp("upgrades") / "repository"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture(scope="module")
def lived(here: Path) -> Rows:
    """What a journal holds after two cycles, by table."""
    with Journal.open(journal_url(here.parent / "lived")) as journal:
        fill(journal, here, SIZE)
        with journal.reading() as connection:
            return {
                table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
                for table in metadata.sorted_tables
                if table.name != "meta"
            }


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return journal_url(tmp_path)
    found: str = request.getfixturevalue("postgres_url")
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_comes_up_with_all_its_rows(
    cli: Callable, here: Path, lived: Rows, url: str, version: str
) -> None:
    before = make_old(backend_for(url), version, lived)
    assert all(before.values()), "a table was left empty"
    with Journal.open(url) as journal, journal.reading() as connection:
        assert connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).all() == [
            (SCHEMA_VERSION,)
        ]
        after = {name: all_rows(connection, metadata.tables[name]) for name in before}
        kept = {
            name: [_cut(row, set(rows[0])) for row in after[name]] for name, rows in before.items()
        }
        assert kept == before
        require_whole(connection, is_compared=version == VERSIONS[0])
    commands_read_it(cli, here, url, version)
    with Journal.open(url) as journal:
        count = len(history(journal, limit=100))
        with ExecutionRecorder(journal) as recorder:
            recorder(*finished(77))
        assert len(history(journal, limit=100)) == count + 1


def make_old(backend: Backend, version: str, lived: Rows) -> dict[str, list[dict[str, Any]]]:
    """A journal as that version left it, with rows in every table; what it holds."""
    backend.prepare()
    engine = create_engine(f"{backend.dialect}://", creator=backend.connect, poolclass=NullPool)
    config = alembic()
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        found = MetaData()
        found.reflect(connection)
        tables = [each for each in found.sorted_tables if each.name != VERSION_TABLE]
        for table in tables:
            names = {column.name for column in table.columns}
            rows = [_cut(row, names) for row in lived.get(table.name, ())]
            rows = rows or [made_up(table, number, connection) for number in (1, 2)]
            connection.execute(insert(table), rows)
        if connection.dialect.name == "postgresql":
            go_on_counting(connection, tables)
        before = {table.name: all_rows(connection, table) for table in tables}
        connection.commit()
    return before


def _cut(row: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name in names}


def made_up(table: Table, number: int, connection: Connection) -> dict[str, Any]:
    """A row by the types of its columns; what refers to another row refers to one that is there."""
    row = {column.name: value_of(column, number) for column in table.columns}
    for constraint in table.foreign_key_constraints:
        target = constraint.referred_table
        there = connection.execute(select(target)).mappings().all()
        for element in constraint.elements:
            row[element.parent.name] = there[number % len(there)][element.column.name]
    return row


def value_of(column: "Column[Any]", number: int) -> object:
    kind = column.type
    if isinstance(kind, Boolean):
        return number == 1
    if isinstance(kind, Float):
        return number + 0.5
    if isinstance(kind, Integer):
        return number
    return f'["{column.name}", {number}, "\u00e4\U0001f600"]'


def go_on_counting(connection: Connection, tables: Sequence[Table]) -> None:
    """Rows that were given their numbers leave the server's own counters behind."""
    for table in tables:
        for column in table.primary_key.columns:
            asked = {"table": table.name, "column": column.name}
            found = text("SELECT pg_get_serial_sequence(:table, :column)")
            sequence = connection.execute(found, asked).scalar()
            if sequence is not None:
                highest = connection.execute(text(f"SELECT max({column.name}) FROM {table.name}"))
                connection.execute(text(f"SELECT setval('{sequence}', {highest.scalar()})"))


def all_rows(connection: Connection, table: Table) -> list[dict[str, Any]]:
    query = select(table).order_by(*table.primary_key.columns)
    return [dict(row) for row in connection.execute(query).mappings()]


def require_whole(connection: Connection, *, is_compared: bool) -> None:
    """No row refers to nothing; and today's schema, which does not depend on where it started."""
    if is_compared:
        options = {"version_table": VERSION_TABLE, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
    if connection.dialect.name == "sqlite":
        assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
        assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
    else:
        doubtful = text("SELECT conname FROM pg_constraint WHERE NOT convalidated")
        assert connection.execute(doubtful).all() == []


def commands_read_it(cli: Callable, here: Path, url: str, version: str) -> None:
    def asked(*line: str) -> Any:
        ran = cli(*line, "--json", "--repo", str(here), environ={"REVERIE_JOURNAL_URL": url})
        assert ran.code == 0, ran.err
        return ran.document

    executions = asked("history")["executions"]
    assert asked("history", "--stats")["statistics"]["executions"] == len(executions) > 0
    if version >= "0004":
        assert asked("report")["promotions"]
