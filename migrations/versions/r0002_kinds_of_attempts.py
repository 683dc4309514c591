"""Attempts get the kind of their task, so that models have a track record for each kind."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_BATCH = 500
_ATTEMPTS = sa.table("attempts", sa.column("run"), sa.column("task"), sa.column("kind"))
_RUNS = sa.table("runs", sa.column("number"), sa.column("id"), sa.column("body"))


def upgrade() -> None:
    by_bytes = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.add_column("attempts", sa.Column("kind", by_bytes, nullable=False, server_default=""))
    _fill(op.get_bind())


def downgrade() -> None:
    with op.batch_alter_table("attempts") as table:
        table.drop_column("kind")


def _fill(connection: sa.Connection) -> None:
    """Fill the kinds of earlier attempts from the plans of their runs."""
    run, task = sa.bindparam("of_run"), sa.bindparam("of_task")
    fill = sa.update(_ATTEMPTS).where(_ATTEMPTS.c.run == run, _ATTEMPTS.c.task == task)
    fill = fill.values(kind=sa.bindparam("new_kind"))
    last = -1
    while True:
        newer = sa.select(_RUNS).where(_RUNS.c.number > last).order_by(_RUNS.c.number)
        rows = connection.execute(newer.limit(_BATCH)).all()
        if not rows:
            return
        last = rows[-1].number
        updates = [
            {"of_run": row.id, "of_task": task, "new_kind": kind}
            for row in rows
            for task, kind in _kinds(row.body)
        ]
        if updates:
            connection.execute(fill, updates)


def _kinds(body: str) -> list[tuple[int, str]]:
    """(task, kind) of each task in a run's plan; empty if the plan cannot be read."""
    try:
        tasks = json.loads(body).get("plan", {}).get("tasks", [])
        return [(int(task["id"]), str(task["kind"])) for task in tasks]
    except (ValueError, TypeError, KeyError, AttributeError):
        return []
