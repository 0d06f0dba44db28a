"""The tables of workflows, of self-tests and integrated modules, and of exchanges with models."""

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, Table, Text

from reverie.store.tables.columns import Key, RowNumber, metadata

workflows = Table(
    "workflows",
    metadata,
    # Where the repository lies.
    Column("repository", Key, primary_key=True),
    Column("name", Key, primary_key=True),
    # From 1 on; the newest one holds.
    Column("version", Integer, primary_key=True),
    # The same steps on the same data have the same.
    Column("digest", Key, nullable=False),
    # `WorkflowOrigin`.
    Column("origin", Key, nullable=False),
    # Where it was found, or why it was changed.
    Column("source", Text, nullable=False),
    # Digest of the workflow that it was made from; NULL: from none.
    Column("parent", Key),
    # Name of the workflow that it became part of; NULL: it stands for itself.
    Column("merged_into", Key),
    # What is run, as JSON.
    Column("document", Text, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
)

workflow_runs = Table(
    "workflow_runs",
    metadata,
    Column("id", RowNumber, primary_key=True),
    Column("repository", Key, nullable=False),
    Column("name", Key, nullable=False),
    Column("digest", Key, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
    # `TestOutcome`.
    Column("outcome", Key, nullable=False),
    # The step that failed; NULL when none did.
    Column("failed_step", Text),
    # Over all steps; NULL where one was not measured.
    Column("duration_ms", Double, nullable=False),
    Column("cpu_seconds", Double),
    Column("peak_rss_bytes", BigInteger),
    # Name, outcome and figures of each step, as JSON.
    Column("steps", Text, nullable=False),
    Index("workflow_runs_by_name", "repository", "name", "id"),
)

workflow_evolutions = Table(
    "workflow_evolutions",
    metadata,
    Column("id", RowNumber, primary_key=True),
    Column("repository", Key, nullable=False),
    Column("name", Key, nullable=False),
    # Of the workflow and of the source of its steps: what is changed starts anew.
    Column("source_hash", Key, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
    # `EvolutionStatus`.
    Column("status", Key, nullable=False),
    # Minutes that the promoted variant gains; 0 when none was promoted.
    Column("roi_delta", Double, nullable=False),
    # Every variant with its verdict, as JSON.
    Column("summary", Text, nullable=False),
    Index("workflow_evolutions_by_name", "repository", "name", "id"),
)


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
