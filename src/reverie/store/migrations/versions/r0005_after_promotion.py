"""What was done about promotions: approvals before, rollbacks after."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables of rollbacks and approvals."""
    op.create_table(
        "rollbacks",
        *_of_a_dream(),
        sa.Column("created_at_us", sa.BigInteger, primary_key=True),
        sa.Column("branch", sa.Text),
        sa.Column("commit_id", sa.Text),
        sa.Column("why", sa.Text, nullable=False),
    )
    op.create_table(
        "approvals",
        *_of_a_dream(),
        sa.Column("keyid", _KEY, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("envelope", sa.Text, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
    )


def _of_a_dream() -> tuple[sa.Column[str], sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("cycle_id", _KEY, primary_key=True),
        sa.Column("dream_id", _KEY, primary_key=True),
        sa.ForeignKeyConstraint(["cycle_id", "dream_id"], ["dreams.cycle_id", "dreams.id"]),
    )
