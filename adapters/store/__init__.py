"""Persistence in a database: SQLite by default, or PostgreSQL."""

from adapters.store.database import parse_address
from adapters.store.opening import (
    Persistence,
    downgrade,
    exclusive,
    find_database_files,
    open_persistence,
    upgrade,
)

__all__ = [
    "Persistence",
    "downgrade",
    "exclusive",
    "find_database_files",
    "open_persistence",
    "parse_address",
    "upgrade",
]
