"""Files in a local folder, in subfolders by the first letters of their hashes."""

import asyncio
import fcntl
import os
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import IO, TypeVar

from cachetools import LRUCache

from pipeline.domain import FileHash
from pipeline.errors import SettingsError, StoreUnavailable, translate_disk_error
from pipeline.outage import Outage, limit_patience
from pipeline.ports import Clock, ReadPieces, read_clock

T = TypeVar("T")

_HASH = re.compile(r"[0-9a-f]{64}")
_TEMPORARY = "begun"
_LOCK = "lock"
"""A file that stays empty: held while something is renamed or deleted."""
_AGAIN = "again-"
"""Begins the name of an empty file that says when a file was put again: all programs see it."""
_GRACE = timedelta(minutes=15)
"""Longer than it takes from storing a file to writing the row that refers to it."""
_MOST_RECENT = 16 << 20
"""Bytes of files that are kept in memory: the next steps read what was just stored."""
_PIECE = 1 << 18
"""Bytes that are read at once."""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """A content store in a folder. Files are written to a temporary name, then renamed.

    Several programs may share it, if its file system knows `flock`.
    """

    folder: Path
    clock: Clock = read_clock
    outage: Outage = field(default_factory=Outage)
    _recent: LRUCache[str, bytes] = field(
        default_factory=lambda: LRUCache(_MOST_RECENT, getsizeof=len), init=False, repr=False
    )
    """The newest files; all are flushed to disk. Changed only in the event loop."""
    _lock: Lock = field(default_factory=Lock, init=False)

    async def prepare(self) -> None:
        """Make the folder and delete half-written files. Raises SettingsError."""
        try:
            await asyncio.to_thread(self._prepare)
        except OSError as error:
            raise SettingsError("files-unwritable", folder=str(self.folder)) from error

    async def put(self, data: bytes) -> FileHash:
        """Waits while there is no room, or the folder cannot be written to."""
        name = await self._wait_out(partial(self._put, data))
        if len(data) <= self._recent.maxsize:
            self._recent[name] = data
        return name

    async def put_stream(self, read: ReadPieces) -> FileHash:
        """Waits as `put` does, and then goes on where it stopped."""
        while True:
            file = await self._wait_out(self._open_temporary)
            temporary = Path(file.name)
            try:
                with file:
                    name = await self._write_stream(file, read)
                if await self._wait_out(partial(self._adopt, temporary, name)):
                    return name
            finally:
                _remove(temporary)  # at once, as who is cancelled cannot wait for a thread

    async def _write_stream(self, file: IO[bytes], read: ReadPieces) -> FileHash:
        digest, size = sha256(), 0
        async for piece in read():
            digest.update(piece)
            await self._wait_out(partial(_write_at, file, size, piece))
            size += len(piece)
        await self._wait_out(partial(os.fsync, file.fileno()))
        return FileHash(digest.hexdigest())

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - the port's word
        if (recent := self._recent.get(hash)) is not None:
            return recent
        return await self._wait_out(partial(self._read, hash))

    async def size(self, hash: FileHash) -> int:  # noqa: A002 - the port's word
        return await self._wait_out(partial(self._measure_file, hash))

    async def stream(
        self,
        hash: FileHash,  # noqa: A002 - the port's word
        offset: int = 0,
        length: int | None = None,
    ) -> AsyncIterator[bytes]:
        end = await self.size(hash)
        end = end if length is None else min(end, offset + length)
        with await self._wait_out(partial(self._open, hash)) as file:
            while offset < end:
                piece = await self._wait_out(
                    partial(_read_at, file, offset, min(_PIECE, end - offset))
                )
                if not piece:
                    return
                offset += len(piece)
                yield piece

    def local_path(self, hash: FileHash) -> Path | None:  # noqa: A002 - the port's word
        return self.path(hash)

    async def sign(self, hash: FileHash, media_type: str, disposition: str) -> str:  # noqa: A002, ARG002
        return ""

    async def discard(
        self, hashes: Sequence[FileHash], *, older_than: datetime | None = None
    ) -> None:
        """Delete files; unknown ones are ignored.

        A file that was just put a second time is kept, because the row that refers to it may not
        be written yet. If there never is one, the file is swept later.
        """
        for name in hashes:
            self._recent.pop(name, None)
        before = older_than.timestamp() if older_than else None
        await asyncio.to_thread(self._discard, tuple(hashes), before)

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        return await asyncio.to_thread(self._hashes, older_than.timestamp())

    async def measure(self, most: int) -> tuple[int, int]:
        """How many files there are, and their bytes; counting stops at `most`."""
        return await asyncio.to_thread(self._measure, most)

    async def check(self) -> None:
        """Write a small file and read it back. Raises StoreUnavailable at once."""
        with limit_patience(0):
            is_kept = await self._wait_out(self._check)
        if not is_kept:
            raise StoreUnavailable("store-gone")

    def _check(self) -> bool:
        data = secrets.token_bytes(64)
        file = self._write_temporary(data)
        try:
            return file.read_bytes() == data
        finally:
            file.unlink()

    async def _wait_out(self, work: Callable[[], T]) -> T:
        """Run work on the disk in a thread; a fault of the disk is waited for."""

        async def attempt() -> T:
            try:
                return await asyncio.to_thread(work)
            except OSError as error:
                raise translate_disk_error(error) from error

        return await self.outage.wait_out(attempt)

    def _read(self, name: FileHash) -> bytes:
        try:
            return self.path(name).read_bytes()
        except FileNotFoundError as error:
            raise KeyError(name) from error

    def _prepare(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = self.folder / _TEMPORARY
        folder.mkdir(exist_ok=True)
        for file in folder.iterdir():
            if file.name != _LOCK and not self._is_recent(file):
                file.unlink(missing_ok=True)

    def _put(self, data: bytes) -> FileHash:
        name = FileHash(sha256(data).hexdigest())
        path = self.path(name)
        if self._renew(path):
            if name in self._recent:
                return name
        else:
            self._rename(self._write_temporary(data), path)
        self._sync_folders(path)
        return name

    def _adopt(self, temporary: Path, name: FileHash) -> bool:
        """Give a file that is written and flushed its name.

        False if it is gone: a program that started meanwhile cleared it away.
        """
        path = self.path(name)
        if not self._renew(path):
            if not temporary.exists():
                return False
            self._rename(temporary, path)
        self._sync_folders(path)
        return True

    def _rename(self, temporary: Path, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._hold():
            if path.exists():
                self._note_repeat(path.name)
            temporary.replace(path)

    def _sync_folders(self, path: Path) -> None:
        for folder in (path.parent, path.parent.parent, self.folder):
            _sync(folder)

    def _open_temporary(self) -> IO[bytes]:
        folder = self.folder / _TEMPORARY
        folder.mkdir(parents=True, exist_ok=True)
        return NamedTemporaryFile(dir=folder, delete=False)

    def _open(self, name: FileHash) -> IO[bytes]:
        try:
            return self.path(name).open("rb")
        except FileNotFoundError as error:
            raise KeyError(name) from error

    def _measure_file(self, name: FileHash) -> int:
        try:
            return self.path(name).stat().st_size
        except FileNotFoundError as error:
            raise KeyError(name) from error

    def _write_temporary(self, data: bytes) -> Path:
        with self._open_temporary() as file:
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                Path(file.name).unlink()
                raise
        return Path(file.name)

    def _renew(self, path: Path) -> bool:
        """Renew the time of a file that is there, so that it is not swept; False if it is not."""
        with self._hold(), suppress(FileNotFoundError):
            os.utime(path)
            self._note_repeat(path.name)
            return True
        return False

    @contextmanager
    def _hold(self) -> Iterator[None]:
        """Let no other thread or program rename or delete a file meanwhile."""
        folder = self.folder / _TEMPORARY
        folder.mkdir(parents=True, exist_ok=True)
        with self._lock, (folder / _LOCK).open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _note_repeat(self, name: str) -> None:
        mark, now = self._find_mark(name), self.clock().timestamp()
        mark.touch()
        os.utime(mark, (now, now))

    def _find_mark(self, name: str) -> Path:
        return self.folder / _TEMPORARY / f"{_AGAIN}{name}"

    def _is_recent(self, mark: Path) -> bool:
        """Whether a file is the mark of one that was put again in the last quarter of an hour."""
        if not mark.name.startswith(_AGAIN):
            return False
        try:
            return self.clock().timestamp() - mark.stat().st_mtime < _GRACE.total_seconds()
        except FileNotFoundError:
            return False

    def _discard(self, hashes: Sequence[FileHash], before: float | None) -> None:
        for name in filter(_HASH.fullmatch, hashes):
            path, mark = self.path(name), self._find_mark(name)
            with self._hold(), suppress(FileNotFoundError):
                is_old = before is None or path.stat().st_mtime < before
                if is_old and not self._is_recent(mark):
                    path.unlink()
                    mark.unlink(missing_ok=True)

    def _hashes(self, before: float) -> frozenset[FileHash]:
        found = set[FileHash]()
        for path in self.list_paths():
            with suppress(FileNotFoundError):  # another program discards it
                if path.stat().st_mtime < before:
                    found.add(FileHash(path.name))
        return frozenset(found)

    def _measure(self, most: int) -> tuple[int, int]:
        count = size = 0
        for path in islice(self.list_paths(), most):
            with suppress(FileNotFoundError):
                size += path.stat().st_size
                count += 1
        return count, size

    def list_paths(self) -> Iterator[Path]:
        """The paths of all files."""
        return (path for path in self.folder.glob("??/??/*") if _HASH.fullmatch(path.name))

    def path(self, name: str) -> Path:
        """The path of a file, which may not exist. Raises KeyError if `name` is no hash."""
        if not _HASH.fullmatch(name):
            raise KeyError(name)
        return self.folder / name[:2] / name[2:4] / name


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _write_at(file: IO[bytes], offset: int, piece: bytes) -> None:
    """Write at an offset; repeated after a fault, it writes over what it wrote."""
    file.seek(offset)
    file.write(piece)
    file.flush()


def _read_at(file: IO[bytes], offset: int, most: int) -> bytes:
    file.seek(offset)
    return file.read(most)


def _sync(folder: Path) -> None:
    """Flush a folder to disk; until then, a new name in it may be lost."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
