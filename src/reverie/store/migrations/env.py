"""Runs the migrations on the connection, and inside the transaction, that `migrate` opened."""

from alembic import context

from reverie.store.database.backend import VERSION_TABLE
from reverie.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
)
with context.begin_transaction():
    context.run_migrations()
