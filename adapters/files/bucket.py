"""Files in a bucket, which several programs share.

A file is one object under the hash of its content, in the same folders as on a disk. Beside them
are marks, which order those who put a file again and those who discard it (ADR 0200):

* Who finds a file there that is to be put writes a mark below `again/`, then looks whether anybody
  discards it, and waits until they have. Then the file is there, or is put anew.
* Who discards a file writes a mark below `leaving/`, then looks whether it was put again in the
  last quarter of an hour. Each mark has a name of its own, so that nobody deletes another's.

Both write before they look, and what was written is seen by all, so one of them sees the other.
"""

import asyncio
import re
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import structlog
from cachetools import LRUCache

from adapters.files.places import Bucket
from adapters.files.s3 import S3, BucketFault, Stored, UploadGone, open_s3
from pipeline.domain import FileHash
from pipeline.errors import SettingsError, StoreUnavailable
from pipeline.outage import Outage, limit_patience
from pipeline.ports import Clock, ReadPieces, read_clock

T = TypeVar("T")

_HASH = re.compile(r"[0-9a-f]{64}")
_KEY = re.compile(r"(?P<a>[0-9a-f]{2})/(?P<b>[0-9a-f]{2})/(?P<hash>(?P=a)(?P=b)[0-9a-f]{60})")
_AGAIN, _LEAVING, _BEGUN = "again", "leaving", "begun"
_MARKS = (f"{_AGAIN}/", f"{_LEAVING}/", f"{_BEGUN}/")
GRACE = timedelta(minutes=15)
"""Longer than it takes from storing a file to writing the row that refers to it."""
_LEAVING_SECONDS = 30.0
"""Within which a file is deleted after the look; who takes longer, or was frozen, leaves it."""
DEAD = timedelta(minutes=2)
"""After which a mark of who discards counts no more: a call that was sent in time has ended."""
_MARK_AGE = timedelta(days=1)
"""After which marks are cleared away, and uploads that were not completed."""
_MOST_RECENT = 16 << 20
"""Bytes of files that are kept in memory: the next steps read what was just stored."""
_PART = 6 << 20
"""Bytes of a part; what is not longer is one call. The protocol's least is 5 MiB."""
_MOST_PARTS = 9_000
"""Of an upload; the protocol's limit is 10,000."""
_PARTS_AT_ONCE = 3
_DISCARDED_AT_ONCE = 8
_LINK_SECONDS = 300
"""How long a link to the bucket is valid: it is followed at once."""
_LOOK_AGAIN = 0.25
"""Seconds between two looks whether somebody has discarded a file."""
_MOST_TRIES = 10
"""Of storing a file that others discard, or an upload that others clear away."""

log = structlog.get_logger()


@dataclass(slots=True)
class BucketFiles:
    """A content store in a bucket.

    `grace`: for how long what was put again is not discarded. `dead`: after how long a program
    that discards counts as dead.
    """

    s3: S3
    outage: Outage = field(default_factory=Outage)
    clock: Clock = read_clock
    grace: timedelta = GRACE
    dead: timedelta = DEAD
    _recent: LRUCache[str, bytes] = field(
        default_factory=lambda: LRUCache(_MOST_RECENT, getsizeof=len), init=False, repr=False
    )
    """The newest files. Changed only in the event loop."""
    _problem: str = ""
    """What was last logged about the bucket."""

    async def prepare(self) -> None:
        """Test the bucket, and clear away uploads that were not completed. Raises SettingsError."""
        try:
            await self._try_out()
            await self._clear_uploads()
        except BucketFault as fault:
            raise SettingsError(fault.sentence.id, **fault.sentence.args) from fault

    async def put(self, data: bytes) -> FileHash:
        """Waits while the bucket cannot be reached or refuses."""
        if len(data) > _PART:
            return await self.put_stream(partial(_split, data))
        name = FileHash(sha256(data).hexdigest())
        key = _find_key(name)
        for _ in range(_MOST_TRIES):
            is_new = await self._wait_out(partial(self._put_once, key, data))
            if await self._keep(name, is_new=is_new):
                self._recent[name] = data
                return name
        raise StoreUnavailable("store-files-away")

    async def put_stream(self, read: ReadPieces) -> FileHash:
        """Reads twice: once for the name, once to send it."""
        digest, size, first = sha256(), 0, list[bytes]()
        async for piece in read():
            digest.update(piece)
            size += len(piece)
            if size <= _PART:
                first.append(piece)
        if size <= _PART:
            return await self.put(b"".join(first))
        del first
        name = FileHash(digest.hexdigest())
        key = _find_key(name)
        for _ in range(_MOST_TRIES):
            is_new = False
            if await self._wait_out(partial(self.s3.find, key)) is None:
                try:
                    is_new = await self._upload(name, read, size)
                except UploadGone:
                    log.info("upload begun again", file=name)
                    continue
            if await self._keep(name, is_new=is_new):
                return name
        raise StoreUnavailable("store-files-away")

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - the port's word
        if (recent := self._recent.get(hash)) is not None:
            return recent
        data = b"".join([piece async for piece in self.stream(hash)])
        if len(data) <= self._recent.maxsize:
            self._recent[hash] = data
        return data

    async def size(self, hash: FileHash) -> int:  # noqa: A002 - the port's word
        found = await self._wait_out(partial(self.s3.find, _find_key(hash)))
        if found is None:
            raise KeyError(hash)
        return found.size

    async def stream(
        self,
        hash: FileHash,  # noqa: A002 - the port's word
        offset: int = 0,
        length: int | None = None,
    ) -> AsyncIterator[bytes]:
        """After a fault it goes on where it stopped."""
        key, end = _find_key(hash), None if length is None else offset + length
        if offset == end:
            await self.size(hash)
            return
        while True:
            length = None if end is None else end - offset
            opened, pieces = await self._wait_out(partial(self._open, key, offset, length))
            try:
                async for piece in pieces:
                    offset += len(piece)
                    yield piece
            except BucketFault as fault:
                self._note_problem(fault)
                if offset == end:
                    return
                continue
            finally:
                await opened.__aexit__(None, None, None)
            return

    def local_path(self, hash: FileHash) -> Path | None:  # noqa: A002, ARG002 - the port's word
        return None

    async def sign(self, hash: FileHash, media_type: str, disposition: str) -> str:  # noqa: A002
        if not self.s3.bucket.public:
            return ""
        headers = {"ResponseContentType": media_type, "ResponseContentDisposition": disposition}
        return await self._wait_out(partial(self.s3.sign, _find_key(hash), headers, _LINK_SECONDS))

    async def discard(
        self, hashes: Sequence[FileHash], *, older_than: datetime | None = None
    ) -> None:
        """Delete files, a few at a time; one that was put again is kept, until it is swept."""
        wanted = deque(name for name in dict.fromkeys(hashes) if _HASH.fullmatch(name))

        async def work() -> None:
            while wanted:
                name = wanted.popleft()
                self._recent.pop(name, None)
                await self._discard_one(name, older_than)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(_DISCARDED_AT_ONCE, len(wanted))):
                    group.create_task(work())
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        """Clears old marks away, too."""
        names, old_marks = set[FileHash](), list[str]()
        expired = self.clock() - _MARK_AGE
        async for each in self._list():
            if found := _KEY.fullmatch(each.key):
                if each.at < older_than:
                    names.add(FileHash(found["hash"]))
            elif each.key.startswith(_MARKS) and each.at < expired:
                old_marks.append(each.key)
        for key in old_marks:
            with suppress(BucketFault):  # they are in nobody's way
                await self.s3.delete(key)
        return frozenset(names)

    async def measure(self, most: int) -> tuple[int, int]:
        count = size = 0
        async for each in self._list():
            if _KEY.fullmatch(each.key):
                count, size = count + 1, size + each.size
                if count >= most:
                    break
        return count, size

    async def check(self) -> None:
        with limit_patience(0):
            if not await self._wait_out(self._write_and_read):
                raise StoreUnavailable("store-files-away")

    async def _try_out(self) -> None:
        """Write, read and delete a small object, and see whether conditions are kept."""
        key = f"{_BEGUN}/{secrets.token_hex(16)}"
        try:
            await self.s3.put(key, b"a")
            self.s3.is_conditional = await self._knows_conditions(key)
            async with self.s3.open(key) as pieces:
                async for _ in pieces:
                    pass
        except BucketFault:
            with suppress(BucketFault):
                await self.s3.delete(key)
            raise
        await self.s3.delete(key)
        async for _ in self.s3.list(f"{_BEGUN}/"):
            break

    async def _knows_conditions(self, key: str) -> bool:
        """Whether the server refuses to write over an object when asked: older ones do not."""
        try:
            return not await self.s3.put(key, b"b", only_new=True)
        except BucketFault as fault:
            if fault.sentence.args.get("problem") != "NotImplemented":
                raise
            return False

    async def _write_and_read(self) -> bool:
        key, data = f"{_BEGUN}/{secrets.token_hex(16)}", secrets.token_bytes(64)
        await self.s3.put(key, data)
        async with self.s3.open(key) as pieces:
            found = b"".join([piece async for piece in pieces])
        await self.s3.delete(key)
        return found == data

    async def _clear_uploads(self) -> None:
        """Abort uploads that nobody completes any more: their parts are seen only on the bill."""
        expired = self.clock() - _MARK_AGE
        try:
            begun = [each async for each in self.s3.list_begun()]
        except BucketFault as fault:  # the right to list them is not needed for anything else
            log.info("unfinished uploads not listed", why=fault.sentence.id)
            return
        for key, upload, at in begun:
            if at < expired and _KEY.fullmatch(key):
                await self.s3.abort(key, upload)
                log.info("unfinished upload cleared away", began=at.isoformat())

    async def _put_once(self, key: str, data: bytes) -> bool:
        """Store a file; returns False if it is there already."""
        if not self.s3.is_conditional and await self.s3.find(key) is not None:
            return False
        return await self.s3.put(key, data, only_new=True)

    async def _upload(self, name: FileHash, read: ReadPieces, size: int) -> bool:
        """Send a file in parts; returns False if it is there by now. Raises UploadGone."""
        key = _find_key(name)
        upload = await self._wait_out(partial(self.s3.begin, key))
        try:
            tags = await self._send_parts(key, upload, _check(read, name), size)
            return await self._wait_out(partial(self._complete, key, upload, tags))
        except BaseException:
            await self._abort(key, upload)
            raise

    async def _send_parts(
        self, key: str, upload: str, pieces: AsyncIterator[bytes], size: int
    ) -> Sequence[str]:
        """Send the parts, a few at a time, each with its bytes in memory; returns their tags."""
        slots, tags = asyncio.Semaphore(_PARTS_AT_ONCE), dict[int, str]()

        async def send(number: int, data: bytes) -> None:
            try:
                add = partial(self.s3.add_part, key, upload, number, data)
                tags[number] = await self._wait_out(add)
            finally:
                slots.release()

        length = max(_PART, -(-size // _MOST_PARTS))
        try:
            async with asyncio.TaskGroup() as group:
                number = 0
                async for part in _join(pieces, length):
                    number += 1
                    await slots.acquire()
                    group.create_task(send(number, part))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed
        return [tags[number] for number in sorted(tags)]

    async def _complete(self, key: str, upload: str, tags: Sequence[str]) -> bool:
        try:
            return await self.s3.complete(key, upload, tags)
        except (UploadGone, BucketFault):  # putting many parts together may take long
            if await self.s3.find(key) is None:
                raise
            return True  # it was the answer that was lost

    async def _abort(self, key: str, upload: str) -> None:
        """Take back what was sent. What cannot be taken back is cleared away at a later start."""
        with suppress(BucketFault, TimeoutError):
            async with asyncio.timeout(_LEAVING_SECONDS):
                await asyncio.shield(self.s3.abort(key, upload))

    async def _keep(self, name: FileHash, *, is_new: bool) -> bool:
        """Make sure that a file which was just put, or found, stays; False if it is gone."""
        if is_new and not await self._wait_out(partial(self._list_marks, _LEAVING, name)):
            return True
        return await self._wait_out(partial(self._claim, name))

    async def _claim(self, name: FileHash) -> bool:
        """Mark a file as put again, and wait for who discards it; False if it is gone then."""
        mark = f"{_AGAIN}/{name}/{secrets.token_hex(8)}"
        clock, seen_at = asyncio.get_running_loop().time, 0.0
        own: Stored | None = None
        await self.s3.put(mark, b"")
        while leaving := await self._list_marks(_LEAVING, name):
            if own is None:
                own, seen_at = await self.s3.find(mark), clock()
            if own is None:
                return False
            now = own.at + timedelta(seconds=clock() - seen_at)  # as the server's clock has it
            for each in leaving:
                if now - each.at > self.dead:
                    await self.s3.delete(each.key)
            await asyncio.sleep(_LOOK_AGAIN)
        return await self.s3.find(_find_key(name)) is not None

    async def _discard_one(self, name: FileHash, older_than: datetime | None) -> None:
        mark = f"{_LEAVING}/{name}/{secrets.token_hex(8)}"
        try:
            await self._wait_out(partial(self._leave, name, mark, older_than))
        finally:
            with suppress(BucketFault):
                await asyncio.shield(self.s3.delete(mark))

    async def _leave(self, name: FileHash, mark: str, older_than: datetime | None) -> None:
        clock = asyncio.get_running_loop().time
        began = clock()
        await self.s3.put(mark, b"")
        found, own = await self.s3.find(_find_key(name)), await self.s3.find(mark)
        if found is None or own is None or (older_than is not None and found.at >= older_than):
            return
        again = await self._list_marks(_AGAIN, name)
        if any(own.at - each.at < self.grace for each in again):
            return
        if clock() - began < _LEAVING_SECONDS:
            await self.s3.delete(_find_key(name))

    async def _open(
        self, key: str, offset: int, length: int | None
    ) -> tuple[AbstractAsyncContextManager[object], AsyncIterator[bytes]]:
        opened = self.s3.open(key, offset, length)
        return opened, await opened.__aenter__()

    async def _list_marks(self, kind: str, name: FileHash) -> Sequence[Stored]:
        return [each async for each in self.s3.list(f"{kind}/{name}/")]

    async def _list(self) -> AsyncIterator[Stored]:
        """All objects; a fault is raised, as nobody waits for a list."""
        try:
            async for each in self.s3.list():
                yield each
        except BucketFault as fault:
            self._note_problem(fault)
            raise StoreUnavailable("store-files-away") from fault

    async def _wait_out(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call; a fault of the bucket is waited for."""

        async def attempt() -> T:
            try:
                result = await call()
            except BucketFault as fault:
                self._note_problem(fault)
                raise StoreUnavailable("store-files-away") from fault
            self._problem = ""
            return result

        return await self.outage.wait_out(attempt)

    def _note_problem(self, fault: BucketFault) -> None:
        """Log a fault once, and again after it has passed."""
        problem = fault.sentence.id
        if problem != self._problem:
            log.warning("bucket not usable", why=problem, action=fault.sentence.args.get("action"))
        self._problem = problem


@asynccontextmanager
async def open_bucket(bucket: Bucket, outage: Outage) -> AsyncIterator[BucketFiles]:
    """A store in a bucket, not yet tested. Raises SettingsError."""
    async with open_s3(bucket) as s3:
        yield BucketFiles(s3, outage)


def _find_key(name: str) -> str:
    """The key of a file. Raises KeyError if `name` is no hash."""
    if not _HASH.fullmatch(name):
        raise KeyError(name)
    return f"{name[:2]}/{name[2:4]}/{name}"


async def _split(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), _PART):
        yield data[start : start + _PART]


async def _check(read: ReadPieces, name: FileHash) -> AsyncIterator[bytes]:
    """The same pieces. Raises ValueError at the end if they are not what `name` says."""
    digest = sha256()
    async for piece in read():
        digest.update(piece)
        yield piece
    if digest.hexdigest() != name:
        raise ValueError(f"{name} changed while it was read")


async def _join(pieces: AsyncIterator[bytes], length: int) -> AsyncIterator[bytes]:
    """The same bytes in pieces of this length; the last may be shorter."""
    part = bytearray()
    async for piece in pieces:
        part += piece
        while len(part) >= length:
            yield bytes(part[:length])
            del part[:length]
    if part:
        yield bytes(part)
