"""Persistence in a database: SQLite by default, or PostgreSQL."""

from adapters.store.database import parse_address
from adapters.store.database_copy import copy_rows
from adapters.store.opening import (
    Persistence,
    downgrade,
    exclusive,
    find_database_files,
    open_overview,
    open_persistence,
    serving,
    upgrade,
)
from adapters.store.sqlite_copies import check_copy, copy_database, has_conversations, put_back

__all__ = [
    "Persistence",
    "check_copy",
    "copy_database",
    "copy_rows",
    "downgrade",
    "exclusive",
    "find_database_files",
    "has_conversations",
    "open_overview",
    "open_persistence",
    "parse_address",
    "put_back",
    "serving",
    "upgrade",
]
