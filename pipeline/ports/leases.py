"""The port to leases: which of several programs on one database does what only one may do."""

from typing import Protocol

LEASE_SECONDS = 12.0
"""How long a silent program keeps what it has leased to work on it. Runs and shards are looked for
each second or sooner, so another program has them within 15 seconds."""
RENEWALS = 3
"""In the time of a lease: one may fail."""


class Leases(Protocol):
    """Leases by name, each held by one program for some seconds unless it renews it.

    The database's clock counts, so that programs with different clocks agree. A program that is
    frozen or cut off loses what it holds without hearing of it: it has to count the seconds itself.
    """

    async def acquire(self, name: str, seconds: float) -> bool:
        """Take a lease, or renew ours, for so many seconds from now. False if another has it."""

    async def release(self, name: str) -> None:
        """Give a lease back at once; nothing if we do not hold it."""
