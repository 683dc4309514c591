"""The port to the file store."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from pipeline.domain import FileHash

ReadPieces = Callable[[], AsyncIterator[bytes]]
"""Gives the bytes of a file piece by piece; called again, it begins anew and gives the same."""


class Files(Protocol):
    """A content-addressed file store, which several programs may share."""

    async def put(self, data: bytes) -> FileHash:
        """Store a file durably."""

    async def put_stream(self, read: ReadPieces) -> FileHash:
        """Store a file durably that is not held in memory. It is there as a whole, or not at all.

        `read` may be called more than once. Raises what it raises; then nothing is stored.
        """

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - what it is
        """The bytes of a file. Raises KeyError if it is not there."""

    async def size(self, hash: FileHash) -> int:  # noqa: A002 - what it is
        """The bytes that a file has. Raises KeyError if it is not there."""

    def stream(
        self,
        hash: FileHash,  # noqa: A002 - what it is
        offset: int = 0,
        length: int | None = None,
    ) -> AsyncIterator[bytes]:
        """The bytes of a file from `offset` on, at most `length`, as they come.

        Raises KeyError before the first if the file is not there.
        """

    def local_path(self, hash: FileHash) -> Path | None:  # noqa: A002 - what it is
        """Where a file lies, or would lie, on a disk of this machine; None if it is elsewhere.

        Only for reading. Raises KeyError if `hash` is none.
        """

    async def sign(self, hash: FileHash, media_type: str, disposition: str) -> str:  # noqa: A002
        """A link to a file at the store itself, for whoever has it, valid for a few minutes.

        The store serves the file with these headers. "" if it is not to be reached from outside,
        and for a file that it does not have.
        """

    async def discard(
        self, hashes: Sequence[FileHash], *, older_than: datetime | None = None
    ) -> None:
        """Delete files that nothing refers to. One that was just put again may be kept.

        `older_than`: only what was stored before then, as `hashes` lists it.
        """

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        """All files stored before a moment, to find those that nothing refers to."""
