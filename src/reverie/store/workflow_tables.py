"""The tables of workflows: their versions, their runs, and what evolving them came to."""

from sqlalchemy import BigInteger, Column, Double, Index, Integer, Table, Text

from reverie.store.columns import Key, RowNumber, metadata

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
