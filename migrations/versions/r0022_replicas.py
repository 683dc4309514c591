"""Programs on one database know each other, and their pages show what the others do."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "progress",
        sa.Column("run", _BY_BYTES, primary_key=True),
        sa.Column("telling", sa.Integer(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
    )
    op.create_index("ix_progress_at", "progress", ["at"])
    op.create_table(
        "programs",
        sa.Column("id", _BY_BYTES, primary_key=True),
        sa.Column("host", _BY_BYTES, nullable=False),
        sa.Column("version", _BY_BYTES, nullable=False),
        sa.Column("traits", sa.Text(), nullable=False),
        sa.Column("started", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("programs")
    op.drop_table("progress")
