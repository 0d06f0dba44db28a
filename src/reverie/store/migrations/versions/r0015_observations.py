"""Figures of which only the last value matters."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the table of observations."""
    op.create_table(
        "observations",
        sa.Column("name", _KEY, primary_key=True),
        sa.Column("labels", _KEY, primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("observed_at_us", sa.BigInteger, nullable=False),
    )
