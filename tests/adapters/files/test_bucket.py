"""Files in a bucket that several programs share, on a server that may fail."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import aiohttp
import pytest
from yarl import URL

from adapters.files import Bucket, open_files
from adapters.files.bucket import BucketFiles
from pipeline.domain import FileHash
from pipeline.errors import SettingsError, StoreUnavailable
from pipeline.outage import Outage, limit_patience
from tests.contracts.buckets import make_bucket
from tests.contracts.test_files import in_pieces
from tests.servers.s3 import BetweenS3, stand_between

DAY = timedelta(days=1)
LONG = bytes(range(256)) * 4096 * 14
"""Three parts of an upload."""


@asynccontextmanager
async def opened(bucket: Bucket) -> AsyncIterator[BucketFiles]:
    async with open_files(bucket, Outage()) as files:
        assert isinstance(files, BucketFiles)
        yield files


@dataclass
class Programs:
    """Two programs on one bucket; what the second one asks for passes through `between`."""

    first: BucketFiles
    second: BucketFiles
    between: BetweenS3
    bucket: Bucket

    async def list_files(self) -> frozenset[FileHash]:
        return await self.first.hashes(older_than=datetime.now(UTC) + DAY)


@pytest.fixture
async def programs() -> AsyncIterator[Programs]:
    async with AsyncExitStack() as stack:
        between = await stack.enter_async_context(stand_between())
        bucket = await make_bucket()
        first = await stack.enter_async_context(opened(bucket))
        second = await stack.enter_async_context(opened(replace(bucket, endpoint=between.address)))
        yield Programs(first, second, between, bucket)


async def read(files: BucketFiles, name: FileHash) -> bytes:
    """The bytes of a file as the bucket has them, whatever is in memory."""
    return b"".join([piece async for piece in files.stream(name)])


async def test_what_one_program_puts_the_other_reads_and_discards(programs: Programs) -> None:
    name = await programs.first.put(b"cat")

    assert await programs.second.get(name) == b"cat"
    await programs.second.discard([name])

    assert await programs.list_files() == frozenset()


@pytest.mark.parametrize("forgets", [False, True])
async def test_a_file_put_again_by_one_program_is_not_discarded_by_the_other(
    programs: Programs, *, forgets: bool
) -> None:
    programs.between.forgets_conditions = forgets
    await programs.second.prepare()
    name = await programs.first.put(b"cat")
    await programs.second.put(b"cat")

    await programs.first.discard([name])
    assert await read(programs.first, name) == b"cat"

    programs.first.grace = timedelta(0)
    await programs.first.discard([name])
    assert await programs.list_files() == frozenset()


@pytest.mark.parametrize("data", [b"cat", LONG])
async def test_who_puts_a_file_that_is_being_discarded_puts_it_anew(
    programs: Programs, data: bytes
) -> None:
    name, gate = await programs.first.put(data), asyncio.Event()
    programs.between.held["DELETE"] = gate

    async with asyncio.TaskGroup() as group:
        group.create_task(programs.second.discard([name]))
        await programs.between.waiting.wait()  # it has looked, and is about to delete
        putting = group.create_task(programs.first.put(data))
        await asyncio.sleep(1)
        assert not putting.done()
        programs.between.held.clear()
        gate.set()

    assert await read(programs.first, name) == data


async def test_who_died_while_it_discarded_is_waited_for_only_a_while(programs: Programs) -> None:
    name = await programs.first.put(b"cat")
    programs.first.dead = timedelta(seconds=-1)
    await programs.first.s3.put(f"leaving/{name}/of-a-dead-program", b"")

    await programs.first.put(b"cat")

    assert await read(programs.first, name) == b"cat"
    assert [each async for each in programs.first.s3.list("leaving/")] == []


async def test_two_programs_that_put_and_discard_at_once_lose_nothing(programs: Programs) -> None:
    async def put(files: BucketFiles) -> FileHash:
        name = FileHash("")
        for _ in range(5):
            name = await files.put(b"cat")
        return name

    async def discard(files: BucketFiles) -> None:
        for _ in range(5):
            await files.discard([FileHash(sha256(b"cat").hexdigest())])

    async with asyncio.TaskGroup() as group:
        putting = [group.create_task(put(each)) for each in (programs.first, programs.second)]
        group.create_task(discard(programs.second))

    assert await read(programs.first, putting[0].result()) == b"cat"


async def test_marks_and_leftovers_are_cleared_away_after_a_day(programs: Programs) -> None:
    name = await programs.first.put(b"cat")
    await programs.first.put(b"cat")
    await programs.first.s3.put("begun/of-a-dead-program", b"")
    files = programs.first
    assert len([each async for each in files.s3.list("again/")]) == 1

    await files.hashes(older_than=datetime.now(UTC))
    assert len([each async for each in files.s3.list("again/")]) == 1

    files.clock = lambda: datetime.now(UTC) + 2 * DAY
    assert await files.hashes(older_than=datetime.now(UTC) + DAY) == {name}
    assert [each.key.partition("/")[0] async for each in files.s3.list()] == [name[:2]]


async def test_an_upload_that_ends_in_the_middle_leaves_nothing(programs: Programs) -> None:
    files, count = programs.first, 0

    async def read_once() -> AsyncIterator[bytes]:
        nonlocal count
        count += 1
        async for piece in in_pieces(LONG)():
            yield piece
        if count > 1:
            raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await files.put_stream(read_once)

    assert await programs.list_files() == frozenset()
    assert [each async for each in files.s3.list_begun()] == []


async def test_a_file_that_changes_while_it_is_sent_is_not_stored(programs: Programs) -> None:
    versions = [LONG, LONG[::-1]]

    def read_another() -> AsyncIterator[bytes]:
        return in_pieces(versions.pop())()

    with pytest.raises(ValueError, match="changed"):
        await programs.first.put_stream(read_another)

    assert await programs.list_files() == frozenset()


async def test_uploads_of_programs_that_died_are_cleared_away_at_the_start(
    programs: Programs,
) -> None:
    key = f"77/af/77af{'0' * 60}"
    upload = await programs.first.s3.begin(key)
    await programs.first.s3.add_part(key, upload, 1, b"half")

    async with opened(programs.bucket) as anew:
        assert [each async for each in anew.s3.list_begun()] == []


async def test_an_upload_that_somebody_cleared_away_is_begun_again(programs: Programs) -> None:
    gate = asyncio.Event()
    programs.between.held["PUT"] = gate

    async with asyncio.TaskGroup() as group:
        putting = group.create_task(programs.second.put_stream(in_pieces(LONG)))
        await programs.between.waiting.wait()
        (begun,) = [each async for each in programs.first.s3.list_begun()]
        await programs.first.s3.abort(begun[0], begun[1])
        programs.between.held.clear()
        gate.set()

    assert await read(programs.first, putting.result()) == LONG


async def test_a_bucket_that_is_away_is_waited_for(programs: Programs) -> None:
    name = await programs.first.put(b"cat")
    programs.between.is_away = True

    async with asyncio.TaskGroup() as group:
        putting = group.create_task(programs.second.put(b"dog"))
        getting = group.create_task(programs.second.get(name))
        await asyncio.sleep(0.5)
        assert not putting.done()
        assert not getting.done()
        programs.between.is_away = False

    assert getting.result() == b"cat"
    assert await programs.first.get(putting.result()) == b"dog"


async def test_whoever_has_no_patience_is_told_what_is_away(programs: Programs) -> None:
    programs.between.is_away = True

    calls: list[Callable[[], Awaitable[object]]] = [
        lambda: programs.second.put(b"cat"),
        lambda: programs.second.hashes(older_than=datetime.now(UTC)),
        lambda: programs.second.discard([FileHash("0" * 64)]),
        programs.second.check,
    ]
    for call in calls:
        with pytest.raises(StoreUnavailable) as refused, limit_patience(0):
            await call()
        assert refused.value.sentence.id == "store-files-away"


async def test_a_stream_that_is_cut_goes_on_where_it_stopped(programs: Programs) -> None:
    name = await programs.first.put(LONG)
    programs.between.cuts_after = 3_000_000

    assert await read(programs.second, name) == LONG


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [
        (404, "NoSuchBucket", "files-bucket-missing"),
        (403, "InvalidAccessKeyId", "files-bucket-key"),
        (403, "SignatureDoesNotMatch", "files-bucket-key"),
        (403, "AccessDenied", "files-bucket-refused"),
        (400, "AuthorizationHeaderMalformed", "files-bucket-region"),
        (403, "RequestTimeTooSkewed", "files-bucket-clock"),
        (500, "InternalError", "files-bucket-failed"),
        (0, "", "files-bucket-unreached"),
    ],
)
async def test_at_the_start_it_is_said_what_is_wrong_and_what_to_do(
    status: int, code: str, told: str
) -> None:
    async with stand_between() as between:
        bucket = replace(await make_bucket(), endpoint=between.address)
        between.is_away, between.refuses = not status, {"": (status, code)} if status else {}

        with pytest.raises(SettingsError) as refused:
            async with opened(bucket):
                pass

    assert refused.value.sentence.id == told
    assert "a secret" not in repr(refused.value.sentence)


async def test_a_server_that_there_is_not_is_named() -> None:
    endpoint = "http://127.0.0.1:1"  # nobody listens there

    with pytest.raises(SettingsError) as refused:
        async with opened(replace(await make_bucket(), endpoint=endpoint)):
            pass

    assert refused.value.sentence.id == "files-bucket-unreached"
    assert refused.value.sentence.args["server"] == endpoint


@pytest.mark.parametrize("method", ["PUT", "GET", "DELETE"])
async def test_every_right_that_is_needed_is_tried_at_the_start(method: str) -> None:
    async with stand_between() as between:
        bucket = replace(await make_bucket(), endpoint=between.address)
        between.refuses = {method: (403, "AccessDenied")}

        with pytest.raises(SettingsError) as refused:
            async with opened(bucket):
                pass

    assert refused.value.sentence.id == "files-bucket-refused"


async def test_a_bucket_that_there_is_not_is_named() -> None:
    bucket = await make_bucket()

    with pytest.raises(SettingsError) as refused:
        async with opened(
            Bucket(name="no-such-bucket", endpoint=bucket.endpoint, key="a", secret="b")
        ):
            pass

    assert refused.value.sentence.id == "files-bucket-missing"
    assert refused.value.sentence.args["bucket"] == "s3://no-such-bucket"


async def test_a_bucket_is_waited_for_at_the_start_like_the_database() -> None:
    async with stand_between() as between:
        bucket = replace(await make_bucket(), endpoint=between.address)
        between.is_away = True

        async def come_back() -> None:
            await asyncio.sleep(0.5)
            between.is_away = False

        async with asyncio.TaskGroup() as group:
            group.create_task(come_back())
            async with open_files(bucket, Outage(), starting=20):
                pass


def test_a_bucket_shows_no_secret() -> None:
    bucket = Bucket(name="b", key="AKIA", secret="hidden", token="too")

    assert not re.search("AKIA|hidden|too", repr(bucket))


async def test_a_link_to_the_bucket_brings_the_file_with_the_headers_that_were_asked_for() -> None:
    bucket = await make_bucket()
    async with opened(replace(bucket, public=bucket.endpoint)) as files:
        name = await files.put(b"cat")
        link = await files.sign(name, "text/plain", 'attachment; filename="a b"')
    async with opened(bucket) as files:
        assert await files.sign(name, "text/plain", "inline") == ""

    async with (
        aiohttp.ClientSession() as session,
        session.get(URL(link, encoded=True)) as response,
    ):
        assert await response.read() == b"cat"
        assert response.content_type == "text/plain"
        assert response.headers["Content-Disposition"] == 'attachment; filename="a b"'
    assert bucket.secret not in link
    assert "X-Amz-Expires=300" in link
