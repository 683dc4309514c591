"""The port to the cache."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Cached:
    """A cached JSON text and the time when it was fetched."""

    value: str
    fetched_at: datetime


class Cache(Protocol):
    """A cache of JSON texts. Entries do not expire: the reader decides how old is too old."""

    async def get(self, key: str) -> Cached | None: ...
    async def put(self, key: str, value: str) -> None: ...
    async def claim(self, key: str, value: str) -> str:
        """Store a text unless the key has one. Returns the one that it has now.

        Of several programs that claim a key at once, one stores its text, and all get that one.
        """
