"""Workflows with their versions, runs, and what evolving them came to."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of workflows."""
    op.create_table(
        "workflows",
        sa.Column("repository", _KEY, primary_key=True),
        sa.Column("name", _KEY, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("digest", _KEY, nullable=False),
        sa.Column("origin", _KEY, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("parent", _KEY),
        sa.Column("merged_into", _KEY),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "workflow_runs",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("repository", _KEY, nullable=False),
        sa.Column("name", _KEY, nullable=False),
        sa.Column("digest", _KEY, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
        sa.Column("outcome", _KEY, nullable=False),
        sa.Column("failed_step", sa.Text),
        sa.Column("duration_ms", sa.Double, nullable=False),
        sa.Column("cpu_seconds", sa.Double),
        sa.Column("peak_rss_bytes", sa.BigInteger),
        sa.Column("steps", sa.Text, nullable=False),
    )
    op.create_index("workflow_runs_by_name", "workflow_runs", ["repository", "name", "id"])
    op.create_table(
        "workflow_evolutions",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("repository", _KEY, nullable=False),
        sa.Column("name", _KEY, nullable=False),
        sa.Column("source_hash", _KEY, nullable=False),
        sa.Column("created_at_us", sa.BigInteger, nullable=False),
        sa.Column("status", _KEY, nullable=False),
        sa.Column("roi_delta", sa.Double, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
    )
    op.create_index(
        "workflow_evolutions_by_name", "workflow_evolutions", ["repository", "name", "id"]
    )
