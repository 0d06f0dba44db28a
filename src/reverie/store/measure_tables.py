"""The tables of callables' past: what they cost at each look, and when they got slower."""

from sqlalchemy import BigInteger, Column, Double, Integer, Table, Text

from reverie.store.columns import Key, metadata

measures = Table(
    "measures",
    metadata,
    # Folder of the repository, links resolved.
    Column("repository", Key, primary_key=True),
    # `path:qualname`.
    Column("callable", Key, primary_key=True),
    Column("measured_at_us", BigInteger, primary_key=True),
    # NULL where there is no git.
    Column("commit_id", Text),
    # sha256 of its module.
    Column("source_hash", Key, nullable=False),
    # Of the inputs it was timed with; NULL, like what follows, where it was not.
    Column("size", Integer),
    # Median CPU time of a call.
    Column("cpu_seconds", Double),
    # Most memory that a call allocated.
    Column("peak_bytes", BigInteger),
    Column("complexity", Integer, nullable=False),
    Column("cognitive", Integer, nullable=False),
    Column("lines", Integer, nullable=False),
    # Tier that was in force.
    Column("isolation", Key, nullable=False),
    Column("reverie_version", Text, nullable=False),
)

regressions = Table(
    "regressions",
    metadata,
    Column("repository", Key, primary_key=True),
    Column("callable", Key, primary_key=True),
    Column("found_at_us", BigInteger, primary_key=True),
    # Commits that were compared.
    Column("base", Text, nullable=False),
    Column("head", Text, nullable=False),
    # Time of head over that of base at the median, with its interval.
    Column("slowdown", Double, nullable=False),
    Column("slowdown_low", Double, nullable=False),
    Column("slowdown_high", Double, nullable=False),
    # The first commit that is slower; NULL where several stay possible.
    Column("commit_id", Text),
    Column("subject", Text),
    # Commits that stay possible, oldest first, as a JSON list.
    Column("between", Text, nullable=False),
    # Commits that were timed on the way.
    Column("tried", Integer, nullable=False),
)
