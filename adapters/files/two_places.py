"""Files of which some are still where they were before, until `troupe files move` is done."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from adapters.files.store import FileStore
from pipeline.domain import FileHash
from pipeline.ports import ReadPieces


@dataclass(frozen=True, slots=True)
class FilesInTwoPlaces:
    """New files go to `new`; what is not there is read from `old`."""

    new: FileStore
    old: FileStore

    async def prepare(self) -> None:
        await self.new.prepare()

    async def put(self, data: bytes) -> FileHash:
        return await self.new.put(data)

    async def put_stream(self, read: ReadPieces) -> FileHash:
        return await self.new.put_stream(read)

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - the port's word
        try:
            return await self.new.get(hash)
        except KeyError:
            return await self.old.get(hash)

    async def size(self, hash: FileHash) -> int:  # noqa: A002 - the port's word
        try:
            return await self.new.size(hash)
        except KeyError:
            return await self.old.size(hash)

    async def stream(
        self,
        hash: FileHash,  # noqa: A002 - the port's word
        offset: int = 0,
        length: int | None = None,
    ) -> AsyncIterator[bytes]:
        has_begun = False
        try:
            async for piece in self.new.stream(hash, offset, length):
                has_begun = True
                yield piece
        except KeyError:
            if has_begun:
                raise
        else:
            return
        async for piece in self.old.stream(hash, offset, length):
            yield piece

    def local_path(self, hash: FileHash) -> Path | None:  # noqa: A002 - the port's word
        path = self.new.local_path(hash)
        return path if path is not None and path.is_file() else None

    async def sign(self, hash: FileHash, media_type: str, disposition: str) -> str:  # noqa: A002
        try:
            await self.new.size(hash)
        except KeyError:
            return await self.old.sign(hash, media_type, disposition)
        return await self.new.sign(hash, media_type, disposition)

    async def discard(
        self, hashes: Sequence[FileHash], *, older_than: datetime | None = None
    ) -> None:
        await self.old.discard(hashes, older_than=older_than)
        await self.new.discard(hashes, older_than=older_than)

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        """Those of both places."""
        old = await self.old.hashes(older_than=older_than)
        return old | await self.new.hashes(older_than=older_than)

    async def measure(self, most: int) -> tuple[int, int]:
        """Of the new place alone."""
        return await self.new.measure(most)

    async def check(self) -> None:
        await self.new.check()
