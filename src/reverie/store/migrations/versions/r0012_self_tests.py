"""Self-tests of modules that nothing uses, those that were integrated, exchanges with models."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0010"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the three tables."""
    op.create_table(
        "self_tests",
        sa.Column("repository", _KEY, primary_key=True),
        sa.Column("path", _KEY, primary_key=True),
        sa.Column("source_hash", _KEY, primary_key=True),
        sa.Column("passed", sa.Boolean, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "included_modules",
        sa.Column("repository", _KEY, primary_key=True),
        sa.Column("path", _KEY, primary_key=True),
        sa.Column("source_hash", _KEY, nullable=False),
        sa.Column("dream_id", _KEY),
        sa.Column("workflow", _KEY),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "model_interactions",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
        sa.Column("tags", _KEY, nullable=False),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("response", sa.Text, nullable=False),
    )
