"""What a repository looked like when its index was current; foresight and decisions."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the trail of an index, recorded cycles, and the decision log."""
    op.add_column("indexed_repositories", sa.Column("trail", sa.Text))
    op.create_table(
        "foresight_cycles",
        sa.Column("subject", _KEY, primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("metrics", sa.Text, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "decisions",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
        sa.Column("subject", _KEY, nullable=False),
        sa.Column("verdict", _KEY, nullable=False),
        sa.Column("decision", sa.Text, nullable=False),
    )
