"""A zip archive that is sent while it is being made, in little memory."""

import io
import zipfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from pipeline.domain import FileHash
from pipeline.ports import Files

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""What a zip can date a file to; ours carry no date."""


@dataclass(frozen=True, slots=True)
class ZipMember:
    """A file of the archive: one in the file store, or its bytes."""

    name: str
    content: FileHash | bytes


async def stream_zip(members: Sequence[ZipMember], files: Files) -> AsyncIterator[bytes]:
    """The bytes of an archive with the files that are still there.

    Nothing is compressed: pictures, sounds and films already are. Names have to be safe and unique.
    """
    out = _Outlet()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for member in members:
            content, info = member.content, zipfile.ZipInfo(member.name, _EARLIEST)
            info.external_attr = 0o644 << 16
            if isinstance(content, bytes):
                archive.writestr(info, content)
                continue
            try:
                size = await files.size(content)
            except KeyError:
                continue
            with archive.open(info, "w", force_zip64=size > zipfile.ZIP64_LIMIT) as entry:
                async for piece in files.stream(content):
                    entry.write(piece)
                    yield out.take()
    yield out.take()


class _Outlet(io.RawIOBase):
    """What the archive is written to. It cannot seek, because what was sent is gone."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: object) -> int:
        data = bytes(memoryview(piece))  # type: ignore[arg-type]
        self._pieces.append(data)
        return len(data)

    def take(self) -> bytes:
        """What was written since the last time."""
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken
