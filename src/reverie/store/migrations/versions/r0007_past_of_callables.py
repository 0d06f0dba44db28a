"""What callables cost at each look, and since when they are slower."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables of measures and regressions."""
    op.create_table(
        "measures",
        sa.Column("repository", _KEY, primary_key=True),
        sa.Column("callable", _KEY, primary_key=True),
        sa.Column("measured_at_us", sa.BigInteger, primary_key=True),
        sa.Column("commit_id", sa.Text),
        sa.Column("source_hash", _KEY, nullable=False),
        sa.Column("size", sa.Integer),
        sa.Column("cpu_seconds", sa.Double),
        sa.Column("peak_bytes", sa.BigInteger),
        sa.Column("complexity", sa.Integer, nullable=False),
        sa.Column("cognitive", sa.Integer, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("isolation", _KEY, nullable=False),
        sa.Column("reverie_version", sa.Text, nullable=False),
    )
    op.create_table(
        "regressions",
        sa.Column("repository", _KEY, primary_key=True),
        sa.Column("callable", _KEY, primary_key=True),
        sa.Column("found_at_us", sa.BigInteger, primary_key=True),
        sa.Column("base", sa.Text, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("slowdown", sa.Double, nullable=False),
        sa.Column("slowdown_low", sa.Double, nullable=False),
        sa.Column("slowdown_high", sa.Double, nullable=False),
        sa.Column("commit_id", sa.Text),
        sa.Column("subject", sa.Text),
        sa.Column("between", sa.Text, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
    )
