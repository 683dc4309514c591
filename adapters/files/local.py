"""Files in a local folder, two levels deep by the first letters of their hashes."""

import asyncio
import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp

from pipeline.domain import FileHash
from pipeline.errors import RequestError, SettingsError

_HASH = re.compile(r"[0-9a-f]{64}")
_FULL = (errno.ENOSPC, errno.EDQUOT)
_BEGUN = "begun"


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """A folder of ours. A file is written aside and then moved, so that it is whole or not there."""

    folder: Path

    async def prepare(self) -> None:
        """Make the folder, and clear away what was left half written. Raises SettingsError."""
        try:
            await asyncio.to_thread(self._prepare)
        except OSError as error:
            raise SettingsError("files-unwritable", folder=str(self.folder)) from error

    async def put(self, data: bytes) -> FileHash:
        """Raises RequestError when there is no room, or the folder cannot be written to."""
        try:
            return await asyncio.to_thread(self._put, data)
        except OSError as error:
            problem = "store-full" if error.errno in _FULL else "store-gone"
            raise RequestError(problem) from error

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - the port's word
        try:
            return await asyncio.to_thread(self._path(hash).read_bytes)
        except FileNotFoundError as error:
            raise KeyError(hash) from error

    async def discard(self, hashes: Sequence[FileHash]) -> None:
        """One that is not there is no harm."""
        await asyncio.to_thread(self._discard, tuple(hashes))

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        return await asyncio.to_thread(self._hashes, older_than.timestamp())

    def _prepare(self) -> None:
        begun = self.folder / _BEGUN
        begun.mkdir(parents=True, exist_ok=True)
        for left in begun.iterdir():
            left.unlink()

    def _put(self, data: bytes) -> FileHash:
        name = FileHash(sha256(data).hexdigest())
        path = self._path(name)
        if path.exists():
            os.utime(path)  # put again, so not old: it is not swept away under whoever puts it now
            return name
        begun = self.folder / _BEGUN
        begun.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = _write_aside(begun, data)
        aside.replace(path)
        for folder in (path.parent, path.parent.parent, self.folder):
            _sync(folder)
        return name

    def _discard(self, hashes: Sequence[FileHash]) -> None:
        for name in hashes:
            if _HASH.fullmatch(name):
                self._path(name).unlink(missing_ok=True)

    def _hashes(self, moment: float) -> frozenset[FileHash]:
        return frozenset(
            FileHash(path.name)
            for path in self.folder.glob("??/??/*")
            if _HASH.fullmatch(path.name) and path.stat().st_mtime < moment
        )

    def _path(self, name: str) -> Path:
        if not _HASH.fullmatch(name):
            raise KeyError(name)
        return self.folder / name[:2] / name[2:4] / name


def _write_aside(folder: Path, data: bytes) -> Path:
    descriptor, name = mkstemp(dir=folder)
    aside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        aside.unlink()
        raise
    return aside


def _sync(folder: Path) -> None:
    """A new name in a folder lasts only once the folder itself is on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
