"""The tables of what people and history say about promotions: overrides, synergy, weights."""

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, Table, Text

from reverie.store.columns import Key, RowNumber, metadata

overrides = Table(
    "overrides",
    metadata,
    # Words of people against decisions, in the order in which they were signed.
    Column("id", RowNumber, primary_key=True),
    # Folder of the repository, links resolved.
    Column("repository", Key, nullable=False),
    # Id of a dream, or name of a module or workflow.
    Column("subject", Key, nullable=False),
    # What was signed, in its envelope: checked whenever it is read.
    Column("envelope", Text, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
)

interactions = Table(
    "interactions",
    metadata,
    # What two changes of one cycle do together, in the order in which it was measured.
    Column("id", RowNumber, primary_key=True),
    Column("cycle_id", Key, nullable=False),
    # Ids of the dreams.
    Column("first", Key, nullable=False),
    Column("second", Key, nullable=False),
    # One of `model.synergy.METRICS`.
    Column("metric", Key, nullable=False),
    # `SynergyKind`.
    Column("kind", Key, nullable=False),
    # Both together less each alone, with its interval; NULL where they cannot be had together.
    Column("effect", Double),
    Column("low", Double),
    Column("high", Double),
    # Repetitions.
    Column("n", Integer, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
)

Index("interactions_by_cycle", interactions.c.cycle_id, interactions.c.id)

roi_weights = Table(
    "roi_weights",
    metadata,
    # One row per training, in order; the weights of the last one are in force.
    Column("id", RowNumber, primary_key=True),
    Column("repository", Key, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
    Column("learner", Key, nullable=False),
    # Factor by name of a part, as JSON; a part that is not there counts as it is.
    Column("weights", Text, nullable=False),
    # Whether this training changed them.
    Column("replaced", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    # Outcomes that it saw.
    Column("n", Integer, nullable=False),
    # Log-loss on what was held out, of the weights before and of the learned ones.
    Column("loss_before", Double),
    Column("loss_after", Double),
)
