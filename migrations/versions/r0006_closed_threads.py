"""Marks threads that not every reader of their channel can read; earlier ones are unmarked."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    closed = sa.Column("closed", sa.Boolean(), nullable=False, server_default=sa.text("false"))
    op.add_column("threads", closed)


def downgrade() -> None:
    with op.batch_alter_table("threads") as table:
        table.drop_column("closed")
