"""Interactions name the person who typed or pressed."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("interactions", sa.Column("person", _BY_BYTES, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("interactions") as table:
        table.drop_column("person")
