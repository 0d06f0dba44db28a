"""The table of counts that are kept beside what they count."""

from sqlalchemy import BigInteger, Column, Double, Table

from reverie.store.columns import Key, metadata

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
