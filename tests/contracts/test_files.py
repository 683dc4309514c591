"""What every place for files does."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from adapters.files import open_files
from pipeline.domain import FileHash
from pipeline.outage import Outage
from pipeline.ports import Files, ReadPieces
from tests.contracts.buckets import make_bucket
from tests.fakes.persistence import FakeFiles

CAT = b"a picture of a cat"
LONG = bytes(range(256)) * 4096 * 10
"""Longer than a piece that is read or sent at once."""
DAY = timedelta(days=1)


def in_pieces(data: bytes, size: int = 100_000) -> ReadPieces:
    async def read() -> AsyncIterator[bytes]:
        for start in range(0, len(data), size):
            yield data[start : start + size]

    return read


@pytest.fixture(params=["fake", "local", "bucket"])
async def files(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Files]:
    if request.param == "fake":
        yield FakeFiles()
        return
    place = await make_bucket() if request.param == "bucket" else tmp_path / "files"
    async with open_files(place, Outage()) as opened:
        yield opened


async def test_bytes_come_back_under_the_hash_of_their_content(files: Files) -> None:
    name = await files.put(CAT)

    assert name == sha256(CAT).hexdigest()
    assert await files.get(name) == CAT


async def test_the_same_bytes_are_kept_once(files: Files) -> None:
    assert await files.put(CAT) == await files.put(CAT)
    assert len(await files.hashes(older_than=datetime.now(UTC) + timedelta(hours=1))) == 1


async def test_no_bytes_are_bytes_too(files: Files) -> None:
    assert await files.get(await files.put(b"")) == b""


@pytest.mark.parametrize("name", ["0" * 64, "../../../etc/passwd", "", "A" * 64])
async def test_what_is_not_there_is_a_key_error(files: Files, name: str) -> None:
    with pytest.raises(KeyError):
        await files.get(FileHash(name))


async def test_what_is_discarded_is_gone_and_the_rest_stays(files: Files) -> None:
    cat, dog = await files.put(CAT), await files.put(b"a dog")

    await files.discard([cat, cat, FileHash("0" * 64), FileHash("../x")])

    assert await files.get(dog) == b"a dog"
    with pytest.raises(KeyError):
        await files.get(cat)


async def test_only_files_put_before_a_moment_are_listed(files: Files) -> None:
    name = await files.put(CAT)
    hour = timedelta(hours=1)

    assert await files.hashes(older_than=datetime.now(UTC) - hour) == frozenset()
    assert await files.hashes(older_than=datetime.now(UTC) + hour) == {name}


@pytest.mark.parametrize("data", [b"", CAT, LONG])
async def test_a_file_may_come_and_go_in_pieces(files: Files, data: bytes) -> None:
    name = await files.put_stream(in_pieces(data))

    assert name == sha256(data).hexdigest()
    assert await files.size(name) == len(data)
    assert b"".join([piece async for piece in files.stream(name)]) == data
    assert await files.get(name) == data


@pytest.mark.parametrize(
    ("offset", "length"), [(0, 4), (3, None), (len(LONG) - 2, 9), (len(LONG), 9), (5, 0)]
)
async def test_a_range_of_a_file_can_be_read(files: Files, offset: int, length: int | None) -> None:
    name = await files.put(LONG)
    end = None if length is None else offset + length

    pieces = [piece async for piece in files.stream(name, offset, length)]

    assert b"".join(pieces) == LONG[offset:end]


@pytest.mark.parametrize("name", ["0" * 64, "../../../etc/passwd", "", "A" * 64])
async def test_what_is_not_there_has_no_size_and_no_pieces(files: Files, name: str) -> None:
    with pytest.raises(KeyError):
        await files.size(FileHash(name))
    with pytest.raises(KeyError):
        await anext(files.stream(FileHash(name)))


async def test_a_file_whose_pieces_end_in_an_error_is_not_there(files: Files) -> None:
    async def read() -> AsyncIterator[bytes]:
        yield LONG
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await files.put_stream(read)

    assert not await files.hashes(older_than=datetime.now(UTC) + DAY)


async def test_what_is_too_young_to_be_unused_is_not_discarded(files: Files) -> None:
    name = await files.put(CAT)

    await files.discard([name], older_than=datetime.now(UTC) - DAY)
    assert await files.get(name) == CAT

    await files.discard([name], older_than=datetime.now(UTC) + DAY)
    with pytest.raises(KeyError):
        await files.get(name)
