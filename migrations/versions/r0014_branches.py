"""Turns know what they follow, and threads where they are opened."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("turns", sa.Column("parent", _BY_BYTES))
    op.add_column("threads", sa.Column("leaf", _BY_BYTES, nullable=False, server_default=""))
    op.create_index("ix_turns_parent", "turns", ["parent", "thread", "number"])


def downgrade() -> None:
    op.drop_index("ix_turns_parent", "turns")
    with op.batch_alter_table("turns") as table:
        table.drop_column("parent")
    with op.batch_alter_table("threads") as table:
        table.drop_column("leaf")
