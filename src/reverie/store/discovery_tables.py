"""The tables of what people said of findings, and of changes tried beside what they replace."""

from sqlalchemy import BigInteger, Column, Double, Table, Text

from reverie.store.columns import Key, metadata

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
