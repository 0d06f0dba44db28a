"""The table of figures of which only the last value matters."""

from sqlalchemy import BigInteger, Column, Double, Table

from reverie.store.columns import Key, metadata

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
