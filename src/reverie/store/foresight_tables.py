"""The tables of foresight and governance."""

from sqlalchemy import BigInteger, Column, Integer, Table, Text

from reverie.store.columns import Key, RowNumber, metadata

foresight_cycles = Table(
    "foresight_cycles",
    metadata,
    # Id of a workflow, or name of a module.
    Column("subject", Key, primary_key=True),
    # Number of the cycle, from 0.
    Column("position", Integer, primary_key=True),
    # `CycleMetrics`, as JSON; what was not measured is absent.
    Column("metrics", Text, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
    # The cycle of `reverie run` that recorded it; NULL when somebody else did.
    Column("cycle_id", Key),
)

decisions = Table(
    "decisions",
    metadata,
    # What governance said, in the order in which it did.
    Column("id", RowNumber, primary_key=True),
    Column("created_at_us", BigInteger, nullable=False),
    # Id of a workflow, a module or a dream.
    Column("subject", Key, nullable=False),
    # `DeploymentVerdict`.
    Column("verdict", Key, nullable=False),
    # The whole decision, as JSON: reasons, figures, overrides.
    Column("decision", Text, nullable=False),
)
