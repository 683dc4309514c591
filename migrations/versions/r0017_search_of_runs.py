"""Operators search runs and channels; what went wrong in a run, and its prompts, have tables."""

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
    op.create_table(
        "prompts",
        sa.Column("run", _BY_BYTES, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("model", _BY_BYTES, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("ix_prompts_at", "prompts", ["at"])
    # Of older runs only that they failed is known here, not why.
    op.execute(
        "INSERT INTO problems (run, saved_at, failed, words)"
        " SELECT id, saved_at, true, '' FROM runs WHERE state = 'apologised'"
        """ OR id IN (SELECT run FROM outcomes WHERE body LIKE '%"is":"Failed"}}')"""
    )


def downgrade() -> None:
    op.drop_table("prompts")
    op.drop_table("problems")
    for name, (table, *_) in _INDEXES.items():
        op.drop_index(name, table)
