"""What a repository looked like when its index was current."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0007"


def upgrade() -> None:
    """Add the trail of an index."""
    op.add_column("indexed_repositories", sa.Column("trail", sa.Text))
