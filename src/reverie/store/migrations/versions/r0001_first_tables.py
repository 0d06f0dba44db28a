"""Executions, their source and terms, failure patterns, safety rules."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_APPLICATION_ID = 0x52657672
_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the first tables."""
    _create_small_tables()
    _create_executions()
    _create_execution_indexes()
    _create_failure_patterns()
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"PRAGMA application_id = {_APPLICATION_ID}")


def _create_small_tables() -> None:
    op.create_table(
        "meta",
        sa.Column("key", _KEY, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "terms",
        sa.Column("terms_hash", _KEY, primary_key=True),
        sa.Column("policy", sa.Text, nullable=False),
        sa.Column("limits", sa.Text, nullable=False),
    )
    op.create_table(
        "code",
        sa.Column("code_hash", _KEY, primary_key=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("characters", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "safety_rules",
        sa.Column("rule_id", _KEY, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("updated_at_us", sa.BigInteger, nullable=False),
    )


def _create_executions() -> None:
    op.create_table(
        "executions",
        sa.Column("seq", _ROW_NUMBER, primary_key=True),
        sa.Column("id", _KEY, nullable=False),
        sa.Column("started_at_us", sa.BigInteger, nullable=False),
        sa.Column("code_hash", _KEY, nullable=False),
        sa.Column("terms_hash", _KEY, sa.ForeignKey("terms.terms_hash"), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("entry", sa.Text),
        sa.Column("outcome", _KEY, nullable=False),
        sa.Column("error_category", _KEY),
        sa.Column("error_type", sa.Text),
        sa.Column("error_message", sa.Text),
        sa.Column("failure_signature", _KEY),
        sa.Column("duration_ms", sa.Double),
        sa.Column("cpu_seconds", sa.Double),
        sa.Column("peak_rss_bytes", sa.BigInteger),
        sa.Column("isolation", _KEY, nullable=False),
        sa.Column("exit_code", sa.BigInteger),
        sa.Column("output_truncated", sa.Boolean, nullable=False),
        sa.Column("expected_output_type", sa.Text),
        sa.Column("reverie_version", sa.Text, nullable=False),
    )


def _create_execution_indexes() -> None:
    indexes = {
        "executions_by_time": ["started_at_us", "seq"],
        "executions_by_code": ["code_hash", "started_at_us", "seq"],
        "executions_by_outcome": ["outcome", "started_at_us", "seq"],
        "executions_by_isolation": ["isolation", "started_at_us", "seq"],
        "executions_by_group": [
            "outcome",
            "error_category",
            "isolation",
            "started_at_us",
            "duration_ms",
        ],
        "executions_by_duration": ["duration_ms", "started_at_us"],
    }
    op.create_index("executions_by_id", "executions", ["id"], unique=True)
    for name, columns in indexes.items():
        op.create_index(name, "executions", columns)


def _create_failure_patterns() -> None:
    op.create_table(
        "failure_patterns",
        sa.Column("signature", _KEY, primary_key=True),
        sa.Column("category", _KEY, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("snippet", sa.Text, nullable=False),
        sa.Column("frequency", sa.BigInteger, nullable=False),
        sa.Column("first_seen_us", sa.BigInteger, nullable=False),
        sa.Column("last_seen_us", sa.BigInteger, nullable=False),
        sa.Column("suggested_fix", sa.Text),
    )
    op.create_index(
        "failure_patterns_by_frequency",
        "failure_patterns",
        ["frequency", "last_seen_us", "signature"],
    )
