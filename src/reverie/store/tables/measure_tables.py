"""The tables of figures: callables' past, foresight and governance, last values, kept counts."""

from sqlalchemy import BigInteger, Column, Double, Integer, Table, Text

from reverie.store.tables.columns import Key, RowNumber, metadata

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


observations = Table(
    "observations",
    metadata,
    # What was looked at, like "orphans" or "synergy".
    Column("name", Key, primary_key=True),
    # What tells one figure from another, as JSON with sorted keys.
    Column("labels", Key, primary_key=True),
    Column("value", Double, nullable=False),
    Column("observed_at_us", BigInteger, nullable=False),
)


tallies = Table(
    "tallies",
    metadata,
    # What is counted: one of `kept_tallies.COUNTED`.
    Column("name", Key, primary_key=True),
    # Folder of the repository, links resolved.
    Column("repository", Key, primary_key=True),
    # What the counted have in common; empty where there is no second thing.
    Column("first", Key, primary_key=True),
    Column("second", Key, primary_key=True),
    # How many there are; 0 when there were some.
    Column("count", BigInteger, nullable=False),
    # Seconds or minutes of all of them together; 0 where nothing is added up.
    Column("total", Double, nullable=False),
)
