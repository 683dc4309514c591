"""The port to the file store."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from pipeline.domain import FileHash


class Files(Protocol):
    """A content-addressed file store."""

    async def put(self, data: bytes) -> FileHash:
        """Store a file durably."""

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - what it is
        """The bytes of a file. Raises KeyError if it is not there."""

    async def discard(self, hashes: Sequence[FileHash]) -> None:
        """Delete files that nothing refers to. One that was just put again may be kept."""

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        """All files stored before a moment, to find those that nothing refers to."""
