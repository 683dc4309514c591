"""File references come from values, not from text; runs get their message; retention indexes."""

import json
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_BATCH = 500
_INDEXES = {
    "ix_threads_workspace": ("threads", ["workspace", "last_at", "key"]),
    "ix_turns_files": ("turns", ["thread", "has_files", "number"]),
    "ix_turns_at": ("turns", ["at"]),
    "ix_inbox_accepted": ("inbox", ["accepted_at"]),
    "ix_journal_at": ("journal", ["at"]),
    "ix_runs_saved": ("runs", ["saved_at"]),
    "ix_deliveries_begun": ("deliveries", ["begun_at"]),
}
_USES = sa.table("file_uses", sa.column("owner"), sa.column("hash"))
_TURN_FILES = sa.table("turn_files", sa.column("turn"))
_TURNS = sa.table("turns", sa.column("key"), sa.column("has_files"))
_RUNS = sa.table("runs", sa.column("id"), sa.column("message"))
_INBOX = sa.table("inbox", sa.column("run"), sa.column("key"))


def upgrade() -> None:
    by_bytes = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.add_column("runs", sa.Column("message", by_bytes, nullable=False, server_default=""))
    with_files = sa.Column(
        "has_files", sa.Boolean(), nullable=False, server_default=sa.text("false")
    )
    op.add_column("turns", with_files)
    message = sa.select(sa.func.max(_INBOX.c.key)).where(_INBOX.c.run == _RUNS.c.id)
    or_empty = sa.func.coalesce(message.scalar_subquery(), "")
    op.execute(sa.update(_RUNS).values(message=or_empty))
    has_files = _TURNS.c.key.in_(sa.select(_TURN_FILES.c.turn))
    op.execute(sa.update(_TURNS).where(has_files).values(has_files=sa.true()))
    _collect_references(op.get_bind())
    for name, (table, columns) in _INDEXES.items():
        op.create_index(name, table, columns)


def downgrade() -> None:
    for name, (table, _) in _INDEXES.items():
        op.drop_index(name, table)
    with op.batch_alter_table("turns") as table:
        table.drop_column("has_files")
    with op.batch_alter_table("runs") as table:
        table.drop_column("message")


def _collect_references(connection: sa.Connection) -> None:
    """Rebuild the references from values: earlier ones came from any hash in a text."""
    connection.execute(sa.delete(_USES))
    seen: set[tuple[str, str]] = set()
    for owner, name in _references(connection):
        if (owner, name) not in seen:
            seen.add((owner, name))
            connection.execute(sa.insert(_USES), {"owner": owner, "hash": name})


def _references(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    for table, owner, prefix, text in (
        ("turns", "key", "", "body"),
        ("inbox", "run", "run ", "body"),
        ("journal", "run", "run ", "value"),
        ("events", "run", "run ", "body"),
        ("runs", "id", "run ", "body"),
        ("outcomes", "run", "run ", "body"),
    ):
        rows = sa.table(table, sa.column(owner), sa.column(text))
        value = rows.c[text]
        may_refer = value.contains('"media_type"') | value.contains('"file:')
        query = sa.select(rows.c[owner], value).where(may_refer)
        for key, body in connection.execute(query).yield_per(_BATCH):
            for name in _files_in(body):
                yield f"{prefix}{key}", name


def _files_in(text: str) -> Iterator[str]:
    try:
        pending = [json.loads(text)]
    except (ValueError, RecursionError):
        return
    while pending:
        match pending.pop():
            case {"hash": str(name), "media_type": str(), "size": int()}:
                yield name
            case dict(fields):
                url = fields.get("url")
                if isinstance(url, str) and url.startswith("file:"):
                    yield url.removeprefix("file:")
                pending.extend(fields.values())
            case list(items):
                pending.extend(items)
