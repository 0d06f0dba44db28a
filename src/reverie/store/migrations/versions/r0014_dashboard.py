"""What the dashboard reads along, and what people do by hand."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_FAILED = sa.text("failure_signature IS NOT NULL")


def upgrade() -> None:
    """Create the table of deeds, and the indexes of the lists."""
    op.create_table(
        "deeds",
        sa.Column("cycle_id", _KEY, primary_key=True),
        sa.Column("dream_id", _KEY, primary_key=True),
        sa.Column("created_at_us", sa.BigInteger, primary_key=True),
        sa.Column("deed", _KEY, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("keyid", _KEY, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("envelope", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["cycle_id", "dream_id"], ["dreams.cycle_id", "dreams.id"]),
    )
    when = ["created_at_us", "cycle_id", "id"]
    op.create_index("dreams_by_time", "dreams", when)
    op.create_index("dreams_by_status", "dreams", ["status", *when])
    op.create_index("dreams_by_module", "dreams", ["module", *when, "status"])
    op.create_index("dreams_by_cycle", "dreams", ["cycle_id", "created_at_us", "id", "status"])
    op.create_index("promotions_by_time", "promotions", ["created_at_us"])
    op.create_index("findings_by_cycle", "findings", ["cycle_id", "id"])
    op.create_index("findings_by_module", "findings", ["module", "cycle_id", "id"])
    op.create_index("approvals_by_dream", "approvals", ["dream_id"])
    op.create_index(
        "executions_by_signature",
        "executions",
        ["failure_signature", "started_at_us", "seq"],
        sqlite_where=_FAILED,
        postgresql_where=_FAILED,
    )
