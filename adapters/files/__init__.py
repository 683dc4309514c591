"""Files in a local folder, two levels deep by the first letters of their hashes."""

import asyncio
import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock

from pipeline.domain import FileHash
from pipeline.errors import RequestError, SettingsError
from pipeline.ports import Clock

_HASH = re.compile(r"[0-9a-f]{64}")
_FULL = (errno.ENOSPC, errno.EDQUOT)
_BEGUN = "begun"
_A_MOMENT = timedelta(minutes=15)
"""Longer than it takes from storing a file to the row that refers to it."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """A content store in a folder. Files are written to a temporary name, then renamed."""

    folder: Path
    clock: Clock = _now
    _again: dict[str, datetime] = field(default_factory=dict, init=False)
    _moving: Lock = field(default_factory=Lock, init=False)

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
            return await asyncio.to_thread(self.path(hash).read_bytes)
        except FileNotFoundError as error:
            raise KeyError(hash) from error

    async def discard(self, hashes: Sequence[FileHash]) -> None:
        """One that is not there is no harm.

        One that was put a second time a moment ago is spared: whoever put it may not have
        referred to it yet. If nobody does, it is swept away later.
        """
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
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = self._write_aside(data)
        with self._moving:
            if path.exists():
                self._note_again(name)
            aside.replace(path)  # new again: it is not swept away under whoever puts it now
        for folder in (path.parent, path.parent.parent, self.folder):
            _sync(folder)
        return name

    def _write_aside(self, data: bytes) -> Path:
        folder = self.folder / _BEGUN
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, delete=False) as file:
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                Path(file.name).unlink()
                raise
        return Path(file.name)

    def _note_again(self, name: str) -> None:
        moment = self.clock()
        for old in [old for old, at in self._again.items() if moment - at > _A_MOMENT]:
            del self._again[old]
        self._again[name] = moment

    def _discard(self, hashes: Sequence[FileHash]) -> None:
        long_ago = self.clock() - _A_MOMENT
        for name in filter(_HASH.fullmatch, hashes):
            with self._moving:
                if self._again.get(name, long_ago) <= long_ago:
                    self.path(name).unlink(missing_ok=True)

    def _hashes(self, moment: float) -> frozenset[FileHash]:
        return frozenset(
            FileHash(path.name)
            for path in self.folder.glob("??/??/*")
            if _HASH.fullmatch(path.name) and path.stat().st_mtime < moment
        )

    def path(self, name: str) -> Path:
        """Where a file lies, if it exists. Raises KeyError for what is no hash."""
        if not _HASH.fullmatch(name):
            raise KeyError(name)
        return self.folder / name[:2] / name[2:4] / name


def _sync(folder: Path) -> None:
    """A new name in a folder lasts only once the folder itself is on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
