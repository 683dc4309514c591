"""A program that stores and reads many files at once, to be killed; and what must be true then.

`python -m tests.adapters.files.traffic ADDRESS BUCKET SEED` prints a line of JSON for each file
that was stored or read. With SIZE, it sends one file of so many bytes through, and prints its
memory.
"""

import asyncio
import random
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

import structlog

from adapters.files import Bucket, open_files
from adapters.files.bucket import BucketFiles
from pipeline.domain import FileHash
from pipeline.outage import Outage
from tests.servers.loopback import run, tell

AT_ONCE = 100
_SIZES = (100, 20_000, 1 << 20, 7 << 20, 13 << 20)
"""Bytes of the files; the last two are sent in parts."""
_SHARES = (40, 30, 15, 10, 5)
_PIECE = 1 << 18


def find_bucket(address: str, name: str) -> Bucket:
    return Bucket(name=name, endpoint=address, key="a key", secret="a secret")


async def make_pieces(seed: str, size: int) -> AsyncIterator[bytes]:
    """Bytes that depend on the seed alone."""
    source = random.Random(seed)
    block = source.randbytes(_PIECE)
    for start in range(0, size, _PIECE):
        yield (start.to_bytes(8, "big") + block)[: min(_PIECE, size - start)]


async def _store_and_read(files: BucketFiles, seed: str) -> None:
    source = random.Random(seed)
    read = partial(make_pieces, seed, source.choices(_SIZES, _SHARES)[0])
    name = await files.put_stream(read)
    tell(stored=name)
    digest = sha256()
    async for piece in files.stream(name):
        digest.update(piece)
    tell(read=name, whole=digest.hexdigest() == name)


async def work(bucket: Bucket, seed: str) -> None:
    """Keep a hundred files under way until killed."""
    slots, count = asyncio.Semaphore(AT_ONCE), 0
    async with open_files(bucket, Outage()) as files, asyncio.TaskGroup() as group:
        assert isinstance(files, BucketFiles)
        tell(open=True)

        async def one(number: int) -> None:
            try:
                await _store_and_read(files, f"{seed}:{number}")
            finally:
                slots.release()

        while True:
            await slots.acquire()
            count += 1
            group.create_task(one(count))


async def send_through(bucket: Bucket, size: int) -> None:
    """One large file, up and down."""
    async with open_files(bucket, Outage()) as files:
        await files.put_stream(partial(make_pieces, "warm", 20 << 20))
        clock, before = asyncio.get_running_loop().time, read_peak()
        began = clock()
        name = await files.put_stream(partial(make_pieces, "large", size))
        up, stored_at = read_peak(), clock()
        digest = sha256()
        async for piece in files.stream(name):
            digest.update(piece)
        tell(
            whole=digest.hexdigest() == name,
            kilobytes_before=before,
            kilobytes_more_up=up - before,
            kilobytes_more=read_peak() - before,
            seconds_up=round(stored_at - began, 1),
            seconds_down=round(clock() - stored_at, 1),
        )


def read_peak() -> int:
    """The most memory that this process has had, in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


async def find_wrong(bucket: Bucket, stored: set[FileHash]) -> list[str]:
    """What a killed program left half, or lost of what it had stored."""
    async with open_files(bucket, Outage()) as files:
        assert isinstance(files, BucketFiles)
        names = await files.hashes(older_than=datetime.max.replace(tzinfo=UTC))
        wrong = [f"lost {name}" for name in stored - names]
        for name in names:
            digest = sha256()
            async for piece in files.stream(name):
                digest.update(piece)
            wrong += [] if digest.hexdigest() == name else [f"half {name}"]
        left = [key async for key, _, _ in files.s3.list_begun()]
        return wrong + [f"begun {key}" for key in left]


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    _address, _name, _what = sys.argv[1:]
    _place = find_bucket(_address, _name)
    run(send_through(_place, int(_what)) if _what.isdecimal() else work(_place, _what))
