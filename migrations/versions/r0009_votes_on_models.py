"""Votes on two compared models name them."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_COLUMNS = ("winner", "loser", "compared")


def upgrade() -> None:
    by_bytes = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    for name in _COLUMNS:
        op.add_column("feedback", sa.Column(name, by_bytes, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("feedback") as table:
        for name in _COLUMNS:
            table.drop_column(name)
