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
