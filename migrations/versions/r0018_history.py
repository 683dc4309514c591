"""Conversations get titles, pins and an index of their words."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from pipeline.text.search_words import split_words

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_BATCH = 500
_MOST_TURNS = 200_000
"""The newest turns, which are found by their words from now on."""
_SEARCHED = {
    "sqlite": (
        """CREATE VIRTUAL TABLE words_search USING fts5(
            workspace, words,
            content='words', content_rowid='number', tokenize='ascii', columnsize=0)""",
        """CREATE TRIGGER words_added AFTER INSERT ON words BEGIN
            INSERT INTO words_search (rowid, workspace, words)
            VALUES (new.number, new.workspace, new.words);
        END""",
        """CREATE TRIGGER words_removed AFTER DELETE ON words BEGIN
            INSERT INTO words_search (words_search, rowid, workspace, words)
            VALUES ('delete', old.number, old.workspace, old.words);
        END""",
        """CREATE TRIGGER words_changed AFTER UPDATE ON words BEGIN
            INSERT INTO words_search (words_search, rowid, workspace, words)
            VALUES ('delete', old.number, old.workspace, old.words);
            INSERT INTO words_search (rowid, workspace, words)
            VALUES (new.number, new.workspace, new.words);
        END""",
    ),
    "postgresql": (
        """ALTER TABLE words ADD COLUMN vector tsvector GENERATED ALWAYS AS
            (array_to_tsvector(string_to_array(workspace || ' ' || words, ' '))) STORED""",
        "CREATE INDEX ix_words_search ON words USING gin (vector) WITH (fastupdate = off)",
    ),
}


def upgrade() -> None:
    off = {"nullable": False, "server_default": sa.text("false")}
    op.add_column("threads", sa.Column("pinned", sa.Boolean(), **off))
    op.add_column("threads", sa.Column("title", _BY_BYTES, nullable=False, server_default=""))
    history = ["workspace", "pinned", "last_at", "key"]
    op.create_index("ix_threads_history", "threads", history)
    words = op.create_table(
        "words",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("owner", _BY_BYTES, nullable=False, unique=True),
        sa.Column("thread", _BY_BYTES, nullable=False),
        sa.Column("workspace", _BY_BYTES, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
    )
    op.create_index("ix_words_thread", "words", ["thread"])
    for statement in _SEARCHED[op.get_bind().dialect.name]:
        op.execute(statement)
    _add_words(words)


def _add_words(words: sa.Table) -> None:
    """Add the words of the page's turns, in the order of the turns."""
    turns = sa.table("turns", *map(sa.column, ("number", "key", "thread", "workspace", "body")))
    connection, c = op.get_bind(), turns.c
    of_page = c.workspace.like("web:%")
    newest = sa.select(c.number).where(of_page).order_by(c.number.desc())
    first = connection.scalar(newest.offset(_MOST_TURNS).limit(1)) or 0
    while True:
        batch = sa.select(turns).where(of_page, c.number > first).order_by(c.number).limit(_BATCH)
        rows = connection.execute(batch).all()
        if not rows:
            return
        first = rows[-1].number
        found = [(row, _find_words(row.body)) for row in rows]
        named = [
            {"owner": row.key, "thread": row.thread, "workspace": row.workspace, "words": text}
            for row, text in found
            if text
        ]
        if named:
            connection.execute(sa.insert(words), named)


def _find_words(body: str) -> str:
    """The words of a stored turn and the names of its files."""
    try:
        stored: Any = json.loads(body)
        turn = stored.get("value", stored)
        if turn.get("sentence"):
            return ""
        names = [file["attachment"]["name"] for file in turn.get("files", ())]
        names += [link["name"] for link in turn.get("links", ())]
        return " ".join(split_words("\n".join([*names, turn.get("text", "")])))
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        return ""  # it is not shown, either


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE words_search")
    op.drop_table("words")
    op.drop_index("ix_threads_history", "threads")
    with op.batch_alter_table("threads") as batch:
        batch.drop_column("title")
        batch.drop_column("pinned")
