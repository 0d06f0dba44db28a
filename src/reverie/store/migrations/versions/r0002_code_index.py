"""The index of a repository: its files, and what can be searched for in them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables of the index."""
    op.create_table(
        "indexed_repositories",
        sa.Column("id", _ROW_NUMBER, primary_key=True),
        sa.Column("place", _KEY, nullable=False),
        sa.Column("format", sa.Text),
        sa.Column("layout", sa.Text),
        sa.Column("totals", sa.Text),
        sa.Column("indexed_at_us", sa.BigInteger),
    )
    op.create_index("indexed_repositories_by_place", "indexed_repositories", ["place"], unique=True)
    _create_files()
    _create_symbols()


def _repository() -> sa.Column[int]:
    owner = sa.ForeignKey("indexed_repositories.id")
    return sa.Column("repository", sa.BigInteger, owner, primary_key=True)


def _create_files() -> None:
    op.create_table(
        "indexed_files",
        _repository(),
        sa.Column("path", _KEY, primary_key=True),
        sa.Column("signature", sa.Text, nullable=False),
        sa.Column("content_hash", _KEY, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("loc", sa.BigInteger, nullable=False),
        sa.Column("functions", sa.BigInteger, nullable=False),
        sa.Column("methods", sa.BigInteger, nullable=False),
        sa.Column("classes", sa.BigInteger, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("imports", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )


def _create_symbols() -> None:
    op.create_table(
        "indexed_symbols",
        _repository(),
        sa.Column("path", _KEY, primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("qualname", sa.Text, nullable=False),
        sa.Column("line", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("shape", sa.Text, nullable=False),
    )
