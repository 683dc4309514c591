"""The tables. Bodies are domain values as JSON; the other columns are for searching.

`thread`, `channel` and `workspace` hold full keys ("slack:T1", "slack:T1:C1" …), so that equal ids
on two platforms are never mixed up. Times are seconds since 1970 (UTC).
"""

from functools import partial
from typing import Any

import sqlalchemy as sa
import structlog
from sqlalchemy import Column, Index
from sqlalchemy.schema import SchemaItem

from pipeline.codec import load
from pipeline.domain import ChannelSettings, Incoming, Outcome, Run, Turn
from pipeline.ports import Share

log = structlog.get_logger()

HEAD = "0023"
"""The revision in migrations/ that makes these tables."""
OLDEST = "0021"
"""The oldest revision whose programs may run on these tables beside this one: what they write stays
right, and they find what they read. A migration that only adds tables, and columns that may be null
or have a default, leaves it; one that does more sets it to its own revision."""

metadata = sa.MetaData()

# Compared byte by byte in every database, so that message ids sort in message order.
_Key = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


class Stored(sa.TypeDecorator[Any]):
    """JSON text; read as a value of the type `of`, or as text if that is None.

    Values that this program cannot read become None: they are damaged, come from a newer version,
    or name a kind of task that no longer exists.
    """

    impl = sa.Text
    cache_ok = True

    def __init__(self, of: object = None) -> None:
        super().__init__()
        self.of = of

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        # Some clients send half a surrogate pair, which no database accepts.
        if value is None or value.isascii():
            return value
        return value.encode("utf-8", "backslashreplace").decode("utf-8")

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:  # noqa: ANN401, ARG002
        if value is None or self.of is None:
            return value
        try:
            return load(self.of, value)
        except ValueError as error:
            why = type(error.__cause__).__name__
            log.warning("stored value skipped", of=getattr(self.of, "__name__", self.of), why=why)
            return None


def _table(name: str, *columns: SchemaItem) -> sa.Table:
    return sa.Table(name, metadata, *columns)


def _columns(of: Any, *names: str, **options: Any) -> list[Column[Any]]:  # noqa: ANN401
    return [Column(name, of, **{"nullable": False, **options}) for name in names]


_keys = partial(_columns, _Key)
_primary = partial(_columns, _Key, primary_key=True)
_seconds = partial(_columns, sa.Double)
_flags = partial(_columns, sa.Boolean, server_default=sa.text("false"))
_text = partial(_columns, Stored())


def _run() -> Column[str]:
    return Column("run", _Key, sa.ForeignKey("runs.id"), primary_key=True)


def _order_statement(table: sa.Table, dialect: str, statement: str) -> None:
    """Run a statement of one kind of database after its table was made."""
    order = sa.DDL(statement)  # type: ignore[no-untyped-call]
    sa.event.listen(table, "after_create", order.execute_if(dialect=dialect))


threads = _table(
    "threads",
    *_primary("key"),
    *_keys("channel", index=True),
    *_keys("workspace", "platform", "workspace_id", "channel_id", "root"),
    *_keys("last_message", server_default=""),
    *_seconds("last_at"),
    *_flags("closed", "pinned"),
    *_keys("leaf", "title", server_default=""),
    Index("ix_threads_active", "platform", "last_at"),
    Index("ix_threads_channels", "platform", "channel", "last_at"),
    Index("ix_threads_workspace", "workspace", "last_at", "key"),
    Index("ix_threads_history", "workspace", "pinned", "last_at", "key"),
)
"""`leaf`: the run at which a thread with branches is opened. `title`: what a person called it."""

turns = _table(
    "turns",
    *_columns(_Number, "number", primary_key=True),
    *_keys("key", unique=True),
    Column("thread", _Key, sa.ForeignKey("threads.key"), nullable=False),
    *_keys("channel", "workspace", "person"),
    *_seconds("at", index=True),
    *_flags("has_files"),
    *_columns(Stored(Turn), "body"),
    Column("parent", _Key),
    Index("ix_turns_thread", "thread", "number"),
    Index("ix_turns_files", "thread", "has_files", "number"),
    Index("ix_turns_channel", "channel", "number"),
    Index("ix_turns_person", "workspace", "person"),
    Index("ix_turns_parent", "parent", "thread", "number"),
)
"""`parent`: the key of the turn that this one follows, for an answer that of its message; "": it
begins the thread; null: not known (of people's on chat platforms), so all that stands before.
"""

words = _table(
    "words",
    *_columns(_Number, "number", primary_key=True),
    *_keys("owner", unique=True),
    *_keys("thread", index=True),
    *_keys("workspace"),
    *_columns(sa.Text, "words"),
)
"""The words of turns (`owner` is the turn's key) and of titles ("title " and the thread's key).

They are searched in an index that the database keeps of them.
"""

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
for _dialect, _statements in _SEARCHED.items():
    for _statement in _statements:
        _order_statement(words, _dialect, _statement)

shares = _table(
    "shares",
    *_columns(_Number, "number", primary_key=True),
    *_keys("mark", unique=True),
    *_keys("thread", "channel", index=True),
    *_keys("workspace", "person"),
    *_seconds("expires"),
    *_columns(Stored(Share), "body"),
    Index("ix_shares_person", "workspace", "person"),
)

summaries = _table(
    "summaries",
    *_primary("thread"),
    *_columns(_Number, "through"),
    *_text("body"),
    *_seconds("at"),
)
"""Each covers the turns of a thread up to the number `through`."""

turn_files = _table(
    "turn_files",
    *_primary("turn", "hash"),
    *_keys("thread", "type"),
    *_columns(sa.Integer, "number"),
    sa.UniqueConstraint("thread", "type", "number", name="uq_turn_files_name"),
)
"""The number of each file in its thread, as in "image 2"."""

file_uses = _table("file_uses", *_primary("owner", "hash"), Index("ix_file_uses_hash", "hash"))
"""Which turn (by its key) or run ("run " and its id) refers to which file."""

inbox = _table(
    "inbox",
    *_columns(_Number, "number", primary_key=True),
    *_keys("run", unique=True),
    *_keys("key", "thread", "channel", index=True),
    *_keys("workspace", "person"),
    *_columns(Stored(Incoming), "body"),
    *_seconds("accepted_at"),
    *_columns(sa.Integer, "attempts", server_default="0"),
    *_flags("cancelled", "finished"),
    *_keys("lane", "owner", nullable=True),
    *_seconds("leased_until", nullable=True),
    Index("ix_inbox_open", "finished", "number"),
    Index("ix_inbox_person", "workspace", "person"),
    Index("ix_inbox_accepted", "accepted_at"),
)
"""On PostgreSQL, `owner` is the program that answers a message, until `leased_until` by the
database's clock unless it renews that; the number of the attempt fences off late writes. Of a
`lane`, one message is answered at a time, those with smaller keys first. With SQLite, all of this
is in memory.
"""

INBOX_INDEXES = (
    """CREATE UNIQUE INDEX ix_inbox_lane ON inbox (lane)
        WHERE owner IS NOT NULL AND NOT finished""",
    "CREATE INDEX ix_inbox_next ON inbox (lane, key, number) WHERE NOT finished",
)
"""What PostgreSQL takes messages by."""
for _statement in INBOX_INDEXES:
    _order_statement(inbox, "postgresql", _statement)

journal = _table("journal", *_primary("run", "step"), *_text("value"), *_seconds("at", index=True))

runs = _table(
    "runs",
    *_columns(_Number, "number", primary_key=True),
    *_keys("id", unique=True),
    *_keys("channel", index=True),
    *_keys("thread", "workspace", "person", "state"),
    *_keys("audience", "message", server_default=""),
    *_seconds("saved_at"),
    *_columns(Stored(Run), "body"),
    Index("ix_runs_thread", "thread", "number"),
    Index("ix_runs_person", "workspace", "person"),
    Index("ix_runs_saved", "saved_at"),
    Index("ix_runs_search", "saved_at", "id", "state", "channel", "thread", "person"),
)
"""`audience`: who could read along. `message`: the key of the message that it answers."""

outcomes = _table(
    "outcomes",
    _run(),
    *_columns(sa.Integer, "task", primary_key=True),
    *_columns(Stored(Outcome), "body"),
    *_keys("content", server_default=""),
    Index("ix_outcomes_content", "run", "content", "task"),
)
"""`content` is a hash of the inputs; its index serves the search for earlier results."""

attempts = _table(
    "attempts",
    _run(),
    *_columns(sa.Integer, "task", "number", primary_key=True),
    *_keys("channel", "model", "place"),
    *_keys("kind", server_default=""),
    *_columns(sa.Boolean, "failed"),
    *_seconds("took"),
    Column("cost", sa.Double),
    Index("ix_attempts_model", "model", "channel"),
    Index("ix_attempts_search", "run", "kind", "model"),
)
"""The attempts of all outcomes, by model, for the track records."""

problems = _table(
    "problems",
    _run(),
    *_seconds("saved_at"),
    *_flags("failed"),
    *_text("words"),
    Index("ix_problems_search", "saved_at", "run", "failed"),
)
"""What went wrong in runs, for the search; `saved_at` is copied from the run."""

feedback = _table(
    "feedback",
    _run(),
    *_primary("person"),
    *_keys("channel", "workspace", "winner", "loser", "compared", server_default=""),
    *_columns(sa.Integer, "value"),
    *_seconds("at"),
    Index("ix_feedback_channel", "channel", "at"),
    Index("ix_feedback_workspace", "workspace", "at"),
)
"""`channel` and `workspace` are copied from the run, for the indexes.

`compared`: for a vote on two models, `winner` and `loser`, their kind of task; "" for other votes.
"""

events = _table(
    "events",
    *_primary("run"),
    *_columns(sa.Integer, "number", primary_key=True),
    *_text("body"),
    *_seconds("at"),
)

prompts = _table(
    "prompts",
    *_primary("run"),
    *_columns(sa.Integer, "number", primary_key=True),
    *_keys("model"),
    *_text("body", "reply"),
    *_seconds("at", index=True),
)
"""What language models were asked for runs, where the settings say that it is kept."""

progress = _table(
    "progress",
    *_primary("run"),
    *_columns(sa.Integer, "telling", "number", primary_key=True),
    *_text("body"),
    *_seconds("at", index=True),
)
"""The events of runs under way, several in a row, for the pages of other programs.

`telling`: raised whenever the run's story begins anew; that with the highest number counts.
"""

deliveries = _table(
    "deliveries",
    *_primary("key"),
    Column("receipt", sa.Text),
    *_seconds("begun_at"),
    Index("ix_deliveries_begun", "begun_at"),
    Index("ix_deliveries_receipt", "receipt"),
)

IS_PENDING = sa.text("payload <> ''")
"""A condition on interactions, without a parameter, so that the index is used."""
interactions = _table(
    "interactions",
    *_columns(_Number, "number", primary_key=True),
    *_keys("platform", "id"),
    *_keys("person", server_default=""),
    *_text("payload", "reply"),
    *_seconds("at", index=True),
    sa.UniqueConstraint("platform", "id", name="uq_interactions_id"),
    Index(
        "ix_interactions_pending",
        *("platform", "number"),
        postgresql_where=IS_PENDING,
        sqlite_where=IS_PENDING,
    ),
)
"""Finished ones name no person and have no payload; their ids are kept for duplicates."""

installations = _table(
    "installations", *_primary("platform", "place"), *_text("body"), *_seconds("at")
)
"""Where a platform's app is installed. Bodies are encrypted by the adapter."""

channel_settings = _table(
    "channel_settings",
    *_primary("channel"),
    *_keys("workspace"),
    *_columns(Stored(ChannelSettings), "body"),
)

catalogue = _table("catalogue", *_primary("key"), *_text("body"), *_seconds("fetched_at"))
"""The cache."""

leases = _table("leases", *_primary("name"), *_keys("owner"), *_seconds("until"))
"""Which program does what only one may do, and until when by the database's clock."""

programs = _table(
    "programs",
    *_primary("id"),
    *_keys("host", "version"),
    *_text("traits"),
    *_seconds("started", "seen"),
)
"""The programs that serve the database, by its clock; `traits`: what must be the same for all."""

rate_limits = _table("rate_limits", *_primary("key"), *_seconds("at"))
"""When the uses counted so far are all refilled, by the database's clock."""

compatibility = _table("compatibility", *_primary("oldest"))
"""One row: `OLDEST` of the newest program that has opened the database."""
