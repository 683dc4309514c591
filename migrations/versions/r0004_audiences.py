"""Runs get the audience of their channel; unknown for earlier runs."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    by_bytes = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.add_column("runs", sa.Column("audience", by_bytes, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("runs") as table:
        table.drop_column("audience")
