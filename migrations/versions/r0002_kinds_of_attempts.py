"""The kind of task that an attempt was made at, so that models have a record for each kind."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_AT_ONCE = 500
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
    """What was tried before: its kinds stand in the plans of the runs."""
    fill = (
        sa.update(_ATTEMPTS)
        .where(_ATTEMPTS.c.run == sa.bindparam("of"), _ATTEMPTS.c.task == sa.bindparam("at"))
        .values(kind=sa.bindparam("named"))
    )
    last = -1
    while True:
        some = sa.select(_RUNS).where(_RUNS.c.number > last).order_by(_RUNS.c.number)
        rows = connection.execute(some.limit(_AT_ONCE)).all()
        if not rows:
            return
        last = rows[-1].number
        known = [
            {"of": row.id, "at": task, "named": kind}
            for row in rows
            for task, kind in _kinds(row.body)
        ]
        if known:
            connection.execute(fill, known)


def _kinds(body: str) -> list[tuple[int, str]]:
    """Task and kind, as the plan of a run has them; none where it cannot be read."""
    try:
        tasks = json.loads(body).get("plan", {}).get("tasks", [])
        return [(int(task["id"]), str(task["kind"])) for task in tasks]
    except (ValueError, TypeError, KeyError, AttributeError):
        return []
