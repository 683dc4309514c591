"""Outcomes get a content key, so that later runs of the thread can reuse them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    by_bytes = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.add_column("outcomes", sa.Column("content", by_bytes, nullable=False, server_default=""))
    op.create_index("ix_outcomes_content", "outcomes", ["run", "content", "task"])


def downgrade() -> None:
    op.drop_index("ix_outcomes_content", "outcomes")
    op.drop_column("outcomes", "content")
