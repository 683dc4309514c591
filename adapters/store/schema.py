"""The tables. Bodies are JSON of domain values; columns beside them are what is searched by.

`thread`, `channel` and `workspace` hold whole keys ("slack:T1", "slack:T1:C1" …), so that nothing
of one is found in another.
Moments are seconds since 1970 (UTC).
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

HEAD = "0008"
"""The revision in migrations/ that makes these tables."""

metadata = MetaData()

# Compared byte by byte in every database: message ids sort in message order in every locale.
_Key = String().with_variant(String(collation="C"), "postgresql")
_Number = BigInteger().with_variant(Integer, "sqlite")


def _key(name: str, *, default: str | None = None) -> Column[str]:
    return Column(name, _Key, nullable=False, server_default=default)


def _place() -> tuple[Column[str], ...]:
    return _key("thread"), _key("channel"), _key("workspace")


threads = Table(
    "threads",
    metadata,
    Column("key", _Key, primary_key=True),
    _key("channel"),
    _key("workspace"),
    _key("platform"),
    _key("workspace_id"),
    _key("channel_id"),
    _key("root"),
    _key("last_message", default=""),
    Column("last_at", Double, nullable=False),
    Column("closed", Boolean, nullable=False, server_default=text("false")),
    Index("ix_threads_active", "platform", "last_at"),
    Index("ix_threads_channel", "channel"),
    Index("ix_threads_workspace", "workspace", "last_at", "key"),
)

turns = Table(
    "turns",
    metadata,
    Column("number", _Number, primary_key=True),
    Column("key", _Key, nullable=False, unique=True),
    Column("thread", _Key, ForeignKey("threads.key"), nullable=False),
    _key("channel"),
    _key("workspace"),
    _key("person"),
    Column("at", Double, nullable=False),
    Column("has_files", Boolean, nullable=False, server_default=text("false")),
    Column("body", Text, nullable=False),
    Index("ix_turns_thread", "thread", "number"),
    Index("ix_turns_files", "thread", "has_files", "number"),
    Index("ix_turns_at", "at"),
    Index("ix_turns_channel", "channel", "number"),
    Index("ix_turns_person", "workspace", "person"),
)

summaries = Table(
    "summaries",
    metadata,
    Column("thread", _Key, primary_key=True),
    Column("through", _Number, nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Double, nullable=False),
)
"""What was said in a thread through the turn with this number, in short."""

turn_files = Table(
    "turn_files",
    metadata,
    Column("turn", _Key, primary_key=True),
    Column("hash", _Key, primary_key=True),
    _key("thread"),
    _key("type"),
    Column("number", Integer, nullable=False),
    UniqueConstraint("thread", "type", "number", name="uq_turn_files_name"),
)
"""The numbers that files have in their threads."""

file_uses = Table(
    "file_uses",
    metadata,
    Column("owner", _Key, primary_key=True),
    Column("hash", _Key, primary_key=True),
    Index("ix_file_uses_hash", "hash"),
)
"""Which turn or run refers to which file."""

inbox = Table(
    "inbox",
    metadata,
    Column("number", _Number, primary_key=True),
    Column("run", _Key, nullable=False, unique=True),
    _key("key"),
    *_place(),
    _key("person"),
    Column("body", Text, nullable=False),
    Column("accepted_at", Double, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("cancelled", Boolean, nullable=False, server_default=text("false")),
    Column("finished", Boolean, nullable=False, server_default=text("false")),
    Index("ix_inbox_open", "finished", "number"),
    Index("ix_inbox_key", "key"),
    Index("ix_inbox_thread", "thread"),
    Index("ix_inbox_channel", "channel"),
    Index("ix_inbox_person", "workspace", "person"),
    Index("ix_inbox_accepted", "accepted_at"),
)

journal = Table(
    "journal",
    metadata,
    Column("run", _Key, primary_key=True),
    Column("step", _Key, primary_key=True),
    Column("value", Text, nullable=False),
    Column("at", Double, nullable=False),
    Index("ix_journal_at", "at"),
)

runs = Table(
    "runs",
    metadata,
    Column("number", _Number, primary_key=True),
    Column("id", _Key, nullable=False, unique=True),
    *_place(),
    _key("person"),
    _key("state"),
    _key("audience", default=""),
    _key("message", default=""),
    Column("saved_at", Double, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_runs_thread", "thread", "number"),
    Index("ix_runs_channel", "channel"),
    Index("ix_runs_person", "workspace", "person"),
    Index("ix_runs_saved", "saved_at"),
)
"""`audience`: who could read along. `message`: the key of the message that it answers."""


def _run() -> Column[str]:
    return Column("run", _Key, ForeignKey("runs.id"), primary_key=True)


outcomes = Table(
    "outcomes",
    metadata,
    _run(),
    Column("task", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    _key("content", default=""),
    Index("ix_outcomes_content", "run", "content", "task"),
)
"""`content` says what an outcome was made from; the index answers a search for earlier results."""

attempts = Table(
    "attempts",
    metadata,
    _run(),
    Column("task", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _key("channel"),
    _key("model"),
    _key("kind", default=""),
    _key("place"),
    Column("failed", Boolean, nullable=False),
    Column("took", Double, nullable=False),
    Column("cost", Double),
    Index("ix_attempts_model", "model", "channel"),
)
"""The outcomes' attempts once more, by model, for the track record."""

feedback = Table(
    "feedback",
    metadata,
    _run(),
    Column("person", _Key, primary_key=True),
    _key("channel", default=""),
    _key("workspace", default=""),
    Column("value", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Index("ix_feedback_channel", "channel", "at"),
    Index("ix_feedback_workspace", "workspace", "at"),
)
"""Each vote has its place, so that the newest of a place are found without reading its runs."""

events = Table(
    "events",
    metadata,
    Column("run", _Key, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("at", Double, nullable=False),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("key", _Key, primary_key=True),
    Column("receipt", Text),
    Column("begun_at", Double, nullable=False),
    Index("ix_deliveries_begun", "begun_at"),
)

seen = Table(
    "seen",
    metadata,
    Column("key", _Key, primary_key=True),
    Column("at", Double, nullable=False),
    Index("ix_seen_at", "at"),
)
"""Fingerprints of the keys, which may name persons."""

channel_settings = Table(
    "channel_settings",
    metadata,
    Column("channel", _Key, primary_key=True),
    _key("workspace"),
    Column("body", Text, nullable=False),
)

catalogue = Table(
    "catalogue",
    metadata,
    Column("key", _Key, primary_key=True),
    Column("body", Text, nullable=False),
    Column("fetched_at", Double, nullable=False),
)
"""What catalogues of models said, for a while."""
