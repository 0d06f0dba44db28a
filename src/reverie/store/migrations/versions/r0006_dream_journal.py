"""The dream journal: procedures, their tests, generation runs, metrics and tightenings."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_ROW = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of the dream journal."""
    _create_runs()
    _create_procedures()
    _create_tests()
    _create_figures()


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _keys(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, _KEY, nullable=False) for name in names]


def _moment(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=nullable)


def _create_runs() -> None:
    op.create_table(
        "generation_runs",
        sa.Column("id", _ROW, primary_key=True),
        _moment("started_at_us"),
        sa.Column("repository", _KEY),
        *_keys("strategy"),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        *_text("made", "stored", "dropped", "record"),
    )


def _create_procedures() -> None:
    table = "dream_procedures"
    op.create_table(
        table,
        sa.Column("id", _ROW, primary_key=True),
        *_keys("digest"),
        sa.Column("repository", _KEY),
        sa.Column("base_procedure", _KEY),
        sa.Column("base_code", sa.Text),
        *_text("code", "entry"),
        *_keys("dream_type", "dreamer"),
        *_text("title", "details", "import_roots"),
        sa.Column("run_id", sa.BigInteger, sa.ForeignKey("generation_runs.id")),
        sa.Column("novelty_score", sa.Double),
        sa.Column("cross_project_matches", sa.Integer),
        *_keys("status"),
        sa.Column("viability_score", sa.Double),
        sa.Column("tier", _KEY),
        sa.Column("reasoning", sa.Text),
        sa.Column("evaluator", sa.Text),
        _moment("evaluated_at_us", nullable=True),
        sa.Column("test_outcome", _KEY),
        sa.Column("test_error", sa.Text),
        _moment("test_timestamp_us", nullable=True),
        sa.Column("effectiveness", sa.Double),
        _moment("created_at_us"),
    )
    op.create_index(f"{table}_by_digest", table, ["digest"], unique=True)
    op.create_index(f"{table}_by_status", table, ["status", "id"])
    op.create_index(f"{table}_by_base", table, ["base_procedure", "id"])


def _create_tests() -> None:
    counts = ("inputs", "succeeded", "same", "different", "more_robust", "less_robust")
    op.create_table(
        "procedure_tests",
        sa.Column("id", _ROW, primary_key=True),
        sa.Column("dream_id", sa.BigInteger, sa.ForeignKey("dream_procedures.id"), nullable=False),
        _moment("tested_at_us"),
        *_keys("outcome"),
        *(sa.Column(name, sa.Integer, nullable=False) for name in counts),
        sa.Column("speedup", sa.Double),
        sa.Column("effectiveness", sa.Double),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("error", sa.Text),
    )
    op.create_index("procedure_tests_by_dream", "procedure_tests", ["dream_id", "tested_at_us"])
    op.create_index("procedure_tests_by_time", "procedure_tests", ["tested_at_us"])
    op.create_table(
        "procedure_failures",
        sa.Column("test_id", sa.BigInteger, sa.ForeignKey("procedure_tests.id"), primary_key=True),
        sa.Column("signature", _KEY, primary_key=True),
        *_keys("category"),
        *_text("message"),
        sa.Column("inputs", sa.Integer, nullable=False),
    )
    op.create_index("procedure_failures_by_signature", "procedure_failures", ["signature"])


def _create_figures() -> None:
    op.create_table(
        "dream_metrics",
        sa.Column("id", _ROW, primary_key=True),
        _moment("measured_at_us"),
        sa.Column("compound_health_score", sa.Double),
        *_text("figures"),
    )
    op.create_index("dream_metrics_by_time", "dream_metrics", ["measured_at_us"])
    op.create_table(
        "tightenings",
        sa.Column("id", _ROW, primary_key=True),
        *_keys("dreamer"),
        sa.Column("share", sa.Double, nullable=False),
        *_text("constraint_name", "evidence"),
        _moment("created_at_us"),
        _moment("lifted_at_us", nullable=True),
    )
