"""What files say about the use of modules, so that it is read once."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table of evidence."""
    owner = sa.ForeignKey("indexed_repositories.id")
    op.create_table(
        "indexed_evidence",
        sa.Column("repository", sa.BigInteger, owner, primary_key=True),
        sa.Column("path", _KEY, primary_key=True),
        sa.Column("content_hash", _KEY, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
