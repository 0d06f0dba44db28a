"""The tables of approvals, overrides, synergy, weights, verdicts on findings, and canaries.

Some of it is done about promotions after they were offered; some is said of findings, and of
changes tried beside what they replace.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    Table,
    Text,
)

from reverie.store.tables.columns import Key, RowNumber, metadata
from reverie.store.tables.cycle_tables import of_a_dream

rollbacks = Table(
    "rollbacks",
    metadata,
    *of_a_dream(),
    # A dream can be offered again, and taken back again.
    Column("created_at_us", BigInteger, primary_key=True),
    # The branch that was removed, or that carries the commit which reverts it.
    Column("branch", Text),
    # The commit that reverts it; NULL when the branch or the patch was removed.
    Column("commit_id", Text),
    # What the person said, on one line.
    Column("why", Text, nullable=False),
)

approvals = Table(
    "approvals",
    metadata,
    *of_a_dream(),
    # Fingerprint of the key that signed: one key is one voice.
    Column("keyid", Key, primary_key=True),
    # Who says so.
    Column("name", Text, nullable=False),
    # What was signed, in its envelope: anyone can check it again.
    Column("envelope", Text, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
)

Index("approvals_by_dream", approvals.c.dream_id)

deeds = Table(
    "deeds",
    metadata,
    # What a person did about a dream by hand: rejected it, or took its promotion back.
    *of_a_dream(),
    Column("created_at_us", BigInteger, primary_key=True),
    # `DeedKind`.
    Column("deed", Key, nullable=False),
    # Who says so.
    Column("name", Text, nullable=False),
    # Fingerprint of the key that signed.
    Column("keyid", Key, nullable=False),
    # What the person said, on one line.
    Column("why", Text, nullable=False),
    # What was signed, in its envelope: anyone can check it again.
    Column("envelope", Text, nullable=False),
)


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


finding_verdicts = Table(
    "finding_verdicts",
    metadata,
    # Where the repository lies.
    Column("repository", Key, primary_key=True),
    # Of the finding: the same for every input that shows it.
    Column("signature", Key, primary_key=True),
    # The latest one counts; earlier ones stay.
    Column("created_at_us", BigInteger, primary_key=True),
    # "bug", "feature" or "out_of_scope".
    Column("opinion", Text, nullable=False),
    # What the person said, on one line.
    Column("why", Text, nullable=False),
)

canaries = Table(
    "canaries",
    metadata,
    Column("id", Key, primary_key=True),
    # Where the repository lies.
    Column("repository", Key, nullable=False),
    # The promotion that is rolled back on a regression; NULL when two files are compared.
    Column("dream_id", Text),
    # What runs beside what, as `file:callable`.
    Column("old", Text, nullable=False),
    Column("new", Text, nullable=False),
    # "running", "stopping", "passed", "failed" or "stopped".
    Column("state", Text, nullable=False),
    Column("started_at_us", BigInteger, nullable=False),
    Column("ended_at_us", BigInteger),
    # Share of the traffic that both see.
    Column("share", Double, nullable=False),
    # Figures so far, as JSON.
    Column("figures", Text, nullable=False),
    # Why it ended.
    Column("reason", Text),
)
