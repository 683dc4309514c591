"""What lasts, in a database: SQLite by default, PostgreSQL by its address."""

from adapters.store.opening import Persistence, downgrade, exclusive, open_persistence, upgrade

__all__ = ["Persistence", "downgrade", "exclusive", "open_persistence", "upgrade"]
