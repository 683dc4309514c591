"""The first tables: chat log, inbox, journal, runs, caches."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TABLES = (
    "catalogue",
    "feedback",
    "attempts",
    "outcomes",
    "runs",
    "seen",
    "deliveries",
    "events",
    "journal",
    "inbox",
    "channel_settings",
    "file_uses",
    "turn_files",
    "turns",
    "threads",
)


def upgrade() -> None:
    for create in (
        _threads,
        _turns,
        _turn_files,
        _file_uses,
        _channel_settings,
        _inbox,
        _journal,
        _events,
        _deliveries,
        _seen,
        _runs,
        _outcomes,
        _attempts,
        _feedback,
        _catalogue,
    ):
        create()


def downgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)


def _key(name: str, *, default: str | None = None) -> sa.Column[str]:
    by_bytes = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    return sa.Column(name, by_bytes, nullable=False, server_default=default)


def _number() -> sa.Column[int]:
    return sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False)


def _threads() -> None:
    op.create_table(
        "threads",
        _key("key"),
        _key("channel"),
        _key("workspace"),
        _key("platform"),
        _key("workspace_id"),
        _key("channel_id"),
        _key("root"),
        _key("last_message", default=""),
        sa.Column("last_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_threads_active", "threads", ["platform", "last_at"], unique=False)
    op.create_index("ix_threads_channel", "threads", ["channel"], unique=False)


def _turns() -> None:
    op.create_table(
        "turns",
        _number(),
        _key("key"),
        _key("thread"),
        _key("channel"),
        _key("workspace"),
        _key("person"),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["thread"],
            ["threads.key"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_turns_channel", "turns", ["channel", "number"], unique=False)
    op.create_index("ix_turns_person", "turns", ["workspace", "person"], unique=False)
    op.create_index("ix_turns_thread", "turns", ["thread", "number"], unique=False)


def _turn_files() -> None:
    op.create_table(
        "turn_files",
        _key("turn"),
        _key("hash"),
        _key("thread"),
        _key("type"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("turn", "hash"),
        sa.UniqueConstraint("thread", "type", "number", name="uq_turn_files_name"),
    )


def _file_uses() -> None:
    op.create_table(
        "file_uses", _key("owner"), _key("hash"), sa.PrimaryKeyConstraint("owner", "hash")
    )
    op.create_index("ix_file_uses_hash", "file_uses", ["hash"], unique=False)


def _channel_settings() -> None:
    op.create_table(
        "channel_settings",
        _key("channel"),
        _key("workspace"),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("channel"),
    )


def _inbox() -> None:
    op.create_table(
        "inbox",
        _number(),
        _key("run"),
        _key("key"),
        _key("thread"),
        _key("channel"),
        _key("workspace"),
        _key("person"),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("accepted_at", sa.Double(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cancelled", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("finished", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("run"),
    )
    op.create_index("ix_inbox_channel", "inbox", ["channel"], unique=False)
    op.create_index("ix_inbox_key", "inbox", ["key"], unique=False)
    op.create_index("ix_inbox_open", "inbox", ["finished", "number"], unique=False)
    op.create_index("ix_inbox_person", "inbox", ["workspace", "person"], unique=False)
    op.create_index("ix_inbox_thread", "inbox", ["thread"], unique=False)


def _journal() -> None:
    op.create_table(
        "journal",
        _key("run"),
        _key("step"),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("run", "step"),
    )


def _events() -> None:
    op.create_table(
        "events",
        _key("run"),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("run", "number"),
    )


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        _key("key"),
        sa.Column("receipt", sa.Text(), nullable=True),
        sa.Column("begun_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )


def _seen() -> None:
    op.create_table(
        "seen",
        _key("key"),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_seen_at", "seen", ["at"], unique=False)


def _runs() -> None:
    op.create_table(
        "runs",
        _number(),
        _key("id"),
        _key("thread"),
        _key("channel"),
        _key("workspace"),
        _key("person"),
        _key("state"),
        sa.Column("saved_at", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("ix_runs_channel", "runs", ["channel"], unique=False)
    op.create_index("ix_runs_person", "runs", ["workspace", "person"], unique=False)
    op.create_index("ix_runs_thread", "runs", ["thread", "number"], unique=False)


def _outcomes() -> None:
    op.create_table(
        "outcomes",
        _key("run"),
        sa.Column("task", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run"],
            ["runs.id"],
        ),
        sa.PrimaryKeyConstraint("run", "task"),
    )


def _attempts() -> None:
    op.create_table(
        "attempts",
        _key("run"),
        sa.Column("task", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        _key("channel"),
        _key("model"),
        _key("place"),
        sa.Column("failed", sa.Boolean(), nullable=False),
        sa.Column("took", sa.Double(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run"],
            ["runs.id"],
        ),
        sa.PrimaryKeyConstraint("run", "task", "number"),
    )
    op.create_index("ix_attempts_model", "attempts", ["model", "channel"], unique=False)


def _feedback() -> None:
    op.create_table(
        "feedback",
        _key("run"),
        _key("person"),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run"],
            ["runs.id"],
        ),
        sa.PrimaryKeyConstraint("run", "person"),
    )


def _catalogue() -> None:
    op.create_table(
        "catalogue",
        _key("key"),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("fetched_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
