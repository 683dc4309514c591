"""Votes get channel and workspace, so that an index finds the newest votes of each."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_COLUMNS = ("channel", "workspace")
_RUNS = sa.table("runs", sa.column("id"), *map(sa.column, _COLUMNS))
_FEEDBACK = sa.table("feedback", sa.column("run"), *map(sa.column, _COLUMNS))


def upgrade() -> None:
    by_bytes = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    for name in _COLUMNS:
        op.add_column("feedback", sa.Column(name, by_bytes, nullable=False, server_default=""))
        value = sa.select(_RUNS.c[name]).where(_RUNS.c.id == _FEEDBACK.c.run).scalar_subquery()
        op.execute(sa.update(_FEEDBACK).values({name: value}))
        op.create_index(f"ix_feedback_{name}", "feedback", [name, "at"])


def downgrade() -> None:
    for name in _COLUMNS:
        op.drop_index(f"ix_feedback_{name}", "feedback")
        with op.batch_alter_table("feedback") as table:
            table.drop_column(name)
