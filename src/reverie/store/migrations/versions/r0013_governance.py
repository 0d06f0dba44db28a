"""What completion and foresight go by; overrides, synergy of changes, learned weights."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the hash of a module alone, the cycle of a record, and three tables."""
    op.add_column("checkpoints", sa.Column("content_hash", _KEY))
    op.add_column("foresight_cycles", sa.Column("cycle_id", _KEY))
    op.create_table(
        "overrides",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("repository", _KEY, nullable=False),
        sa.Column("subject", _KEY, nullable=False),
        sa.Column("envelope", sa.Text, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
    )
    _create_interactions()
    _create_weights()


def _create_interactions() -> None:
    op.create_table(
        "interactions",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("cycle_id", _KEY, nullable=False),
        sa.Column("first", _KEY, nullable=False),
        sa.Column("second", _KEY, nullable=False),
        sa.Column("metric", _KEY, nullable=False),
        sa.Column("kind", _KEY, nullable=False),
        sa.Column("effect", sa.Double),
        sa.Column("low", sa.Double),
        sa.Column("high", sa.Double),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
    )


def _create_weights() -> None:
    op.create_table(
        "roi_weights",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("repository", _KEY, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
        sa.Column("learner", _KEY, nullable=False),
        sa.Column("weights", sa.Text, nullable=False),
        sa.Column("replaced", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("loss_before", sa.Double),
        sa.Column("loss_after", sa.Double),
    )
