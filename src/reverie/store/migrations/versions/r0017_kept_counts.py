"""Counts that are kept, and the indexes of the last slow pages."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_OF = "JOIN cycles c ON c.id = d.cycle_id"
_ABOUT = f"JOIN dreams d ON d.cycle_id = t.cycle_id AND d.id = t.dream_id {_OF}"
COUNTS = (
    f"SELECT 'dreams', c.repository, d.kind, d.status, count(*), 0.0 FROM dreams d {_OF}",
    f"SELECT 'modules', c.repository, d.module, d.status, count(*), 0.0 FROM dreams d {_OF}",
    f"SELECT 'trials', c.repository, d.kind, t.verdict, count(*), sum(t.seconds) "
    f"FROM trials t {_ABOUT}",
    f"SELECT 'rulings', c.repository, t.gate, t.verdict, count(*), 0.0 FROM rulings t {_ABOUT}",
    f"SELECT 'promotions', c.repository, d.kind, t.status, count(*), 0.0 "
    f"FROM promotions t {_ABOUT}",
    f"SELECT 'promotion_roi', c.repository, d.kind, '', count(t.roi), sum(t.roi) "
    f"FROM promotions t {_ABOUT} WHERE t.roi IS NOT NULL",
    f"SELECT 'promotion_raroi', c.repository, d.kind, '', count(t.raroi), sum(t.raroi) "
    f"FROM promotions t {_ABOUT} WHERE t.raroi IS NOT NULL",
)
"""Of every table: what is counted, where, what the counted have in common, how many, the total."""


def upgrade() -> None:
    """Count what there is, once; whoever writes goes on from there."""
    op.create_table(
        "tallies",
        sa.Column("name", _KEY, primary_key=True),
        sa.Column("repository", _KEY, primary_key=True),
        sa.Column("first", _KEY, primary_key=True),
        sa.Column("second", _KEY, primary_key=True),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("total", sa.Double, nullable=False),
    )
    for counts in COUNTS:
        op.execute(f"INSERT INTO tallies {counts} GROUP BY 1, 2, 3, 4")
    op.execute(
        "UPDATE meta SET key = 'counted_executions', "
        "value = '{\"last\": 0, \"buckets\": ' || value || '}' WHERE key = 'pruned_executions'"
    )
    op.create_index("interactions_by_cycle", "interactions", ["cycle_id", "id"])
    op.create_index("cycles_by_state", "cycles", ["state", "seconds"])
    op.create_index("checkpoints_by_dreamer", "checkpoints", ["dreamer", "state"])
    op.drop_index("promotions_by_time", "promotions")
    op.create_index("promotions_by_time", "promotions", ["created_at_us", "cycle_id", "dream_id"])
