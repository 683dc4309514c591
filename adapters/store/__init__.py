"""What lasts, in a database: SQLite by default, PostgreSQL by its address."""

from adapters.store.opening import Lasting, downgrade, open_lasting, upgrade

__all__ = ["Lasting", "downgrade", "open_lasting", "upgrade"]
