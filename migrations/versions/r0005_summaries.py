"""Summaries of the older turns of threads."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    by_bytes = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.create_table(
        "summaries",
        sa.Column("thread", by_bytes, nullable=False),
        sa.Column("through", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("thread"),
    )


def downgrade() -> None:
    op.drop_table("summaries")
