"""Cycles: what was planned, dreamt, tried, ruled and promoted."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables of cycles."""
    _create_cycles()
    _create_checkpoints()
    _create_dreams()
    _create_trials()
    _create_rulings()
    _create_promotions()


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _whole(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=False) for name in names]


def _of_a_cycle() -> sa.Column[str]:
    return sa.Column("cycle_id", _KEY, sa.ForeignKey("cycles.id"), primary_key=True)


def _of_a_dream() -> tuple[sa.Column[str], sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("cycle_id", _KEY, primary_key=True),
        sa.Column("dream_id", _KEY, primary_key=True),
        sa.ForeignKeyConstraint(["cycle_id", "dream_id"], ["dreams.cycle_id", "dreams.id"]),
    )


def _create_cycles() -> None:
    op.create_table(
        "cycles",
        sa.Column("id", _KEY, primary_key=True),
        sa.Column("repository", _KEY, nullable=False),
        *_whole("started_at_us"),
        sa.Column("ended_at_us", sa.BigInteger),
        sa.Column("state", _KEY, nullable=False),
        *_text("wishes"),
        sa.Column("revision", sa.Text),
        sa.Column("branch", sa.Text),
        *_text("environment"),
        sa.Column("baseline", sa.Text),
        sa.Column("result", sa.Text),
        sa.Column("seconds", sa.Double, nullable=False),
        *_whole("executions"),
        sa.Column("error", sa.Text),
        *_text("reverie_version"),
    )
    op.create_index("cycles_by_repository", "cycles", ["repository", "started_at_us", "id"])


def _create_checkpoints() -> None:
    op.create_table(
        "checkpoints",
        _of_a_cycle(),
        sa.Column("position", sa.Integer, primary_key=True),
        *_text("dreamer", "module", "path"),
        sa.Column("source_hash", _KEY, nullable=False),
        sa.Column("value", sa.Double),
        *_text("allowance"),
        sa.Column("state", _KEY, nullable=False),
        sa.Column("note", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("seconds", sa.Double, nullable=False),
        *_whole("executions"),
        *_text("figures"),
        *_whole("updated_at_us"),
    )
    op.create_index("checkpoints_by_source", "checkpoints", ["source_hash", "state"])


def _create_dreams() -> None:
    op.create_table(
        "dreams",
        _of_a_cycle(),
        sa.Column("id", _KEY, primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("kind", _KEY, nullable=False),
        *_text("dreamer", "module", "title"),
        *_whole("seed"),
        *_text("change"),
        sa.Column("source_hash", _KEY, nullable=False),
        sa.Column("status", _KEY, nullable=False),
        sa.Column("known_from", _KEY),
        *_whole("created_at_us"),
    )
    op.create_index("dreams_by_id", "dreams", ["id", "source_hash"])
    op.create_table(
        "findings",
        _of_a_cycle(),
        sa.Column("id", _KEY, primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        *_text("module", "title", "details"),
    )


def _create_trials() -> None:
    op.create_table(
        "trials",
        *_of_a_dream(),
        sa.Column("verdict", _KEY, nullable=False),
        *_text("needs", "score"),
        sa.Column("seconds", sa.Double, nullable=False),
        *_whole("executions", "ended_at_us"),
    )
    op.create_table(
        "evidence",
        *_of_a_dream(),
        *_text("measures"),
        *_whole("seed"),
        sa.Column("isolation", _KEY, nullable=False),
        *_text("command", "limits", "hashes", "versions", "details"),
    )


def _create_rulings() -> None:
    op.create_table(
        "rulings",
        *_of_a_dream(),
        sa.Column("position", sa.Integer, primary_key=True),
        *_text("gate"),
        sa.Column("verdict", _KEY, nullable=False),
        sa.Column("reason_code", _KEY, nullable=False),
        *_text("reason", "measured", "required"),
    )


def _create_promotions() -> None:
    op.create_table(
        "promotions",
        *_of_a_dream(),
        sa.Column("status", _KEY, nullable=False),
        *_whole("created_at_us"),
        *(sa.Column(name, sa.Text) for name in ("branch", "commit_id", "base", "patch", "bundle")),
        sa.Column("roi", sa.Double),
        sa.Column("raroi", sa.Double),
    )
