"""Operators search runs, and channels by their threads; what went wrong in a run has a table."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0014"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_INDEXES = {
    "ix_runs_search": ("runs", "saved_at", "id", "state", "channel", "thread", "person"),
    "ix_attempts_search": ("attempts", "run", "kind", "model"),
    "ix_threads_channels": ("threads", "platform", "channel", "last_at"),
}


def upgrade() -> None:
    for name, (table, *columns) in _INDEXES.items():
        op.create_index(name, table, columns)
    op.create_table(
        "problems",
        sa.Column("run", _BY_BYTES, sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("saved_at", sa.Double, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False, server_default=sa.text("false")),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_index("ix_problems_search", "problems", ["saved_at", "run", "failed"])
    # Of older runs only that they failed is known here, not why.
    op.execute(
        "INSERT INTO problems (run, saved_at, failed, words)"
        " SELECT id, saved_at, true, '' FROM runs WHERE state = 'apologised'"
        """ OR id IN (SELECT run FROM outcomes WHERE body LIKE '%"is":"Failed"}}')"""
    )


def downgrade() -> None:
    op.drop_table("problems")
    for name, (table, *_) in _INDEXES.items():
        op.drop_index(name, table)
