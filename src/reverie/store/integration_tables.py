"""The tables of self-tests, of modules that became part of their repository, and of exchanges."""

from sqlalchemy import BigInteger, Boolean, Column, Table, Text

from reverie.store.columns import Key, RowNumber, metadata

self_tests = Table(
    "self_tests",
    metadata,
    # Folder of the repository, links resolved.
    Column("repository", Key, primary_key=True),
    # Relative to the repository.
    Column("path", Key, primary_key=True),
    # sha256 over the module, what it imports of the repository, and the interpreter.
    Column("source_hash", Key, primary_key=True),
    Column("passed", Boolean, nullable=False),
    # `SelfTest`, as JSON.
    Column("document", Text, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
)

included_modules = Table(
    "included_modules",
    metadata,
    # Folder of the repository, links resolved.
    Column("repository", Key, primary_key=True),
    # Relative to the repository.
    Column("path", Key, primary_key=True),
    # Of its self-test.
    Column("source_hash", Key, nullable=False),
    # The dream that integrates it; NULL where there was nothing to change.
    Column("dream_id", Key),
    # Name of its one-step workflow; NULL where it has nothing to call.
    Column("workflow", Key),
    Column("created_at_us", BigInteger, nullable=False),
)

model_interactions = Table(
    "model_interactions",
    metadata,
    # In the order in which models were asked.
    Column("id", RowNumber, primary_key=True),
    Column("created_at_us", BigInteger, nullable=False),
    # `InteractionTag`, one or more, with spaces between.
    Column("tags", Key, nullable=False),
    # As it was sent: without secrets.
    Column("prompt", Text, nullable=False),
    Column("response", Text, nullable=False),
)
