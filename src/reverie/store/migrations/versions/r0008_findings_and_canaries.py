"""What people said of findings, and changes tried beside what they replace."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables of verdicts and canaries."""
    op.create_table(
        "finding_verdicts",
        sa.Column("repository", _KEY, primary_key=True),
        sa.Column("signature", _KEY, primary_key=True),
        sa.Column("created_at_us", sa.BigInteger, primary_key=True),
        sa.Column("opinion", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
    )
    op.create_table(
        "canaries",
        sa.Column("id", _KEY, primary_key=True),
        sa.Column("repository", _KEY, nullable=False),
        sa.Column("dream_id", sa.Text),
        sa.Column("old", sa.Text, nullable=False),
        sa.Column("new", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("started_at_us", sa.BigInteger, nullable=False),
        sa.Column("ended_at_us", sa.BigInteger),
        sa.Column("share", sa.Double, nullable=False),
        sa.Column("figures", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
    )
