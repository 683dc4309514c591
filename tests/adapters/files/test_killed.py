"""Programs that are killed in the middle of uploads and downloads."""

import pytest

from tests.adapters.files.killing import kill_once, read_news, starting
from tests.adapters.files.traffic import find_bucket, find_wrong
from tests.servers.s3 import create_bucket

pytestmark = pytest.mark.program


async def test_a_program_killed_amid_uploads_leaves_nothing_half_and_loses_nothing() -> None:
    async with starting("tests.servers.s3") as server:
        address = str((await read_news(server))["address"])
        for after in (1, 20):
            name = await create_bucket(address)

            stored, _ = await kill_once(address, name, f"seed{after}", after)

            assert len(stored) >= after
            assert await find_wrong(find_bucket(address, name), stored) == []


async def test_a_large_file_goes_through_without_being_in_memory() -> None:
    async with starting("tests.servers.s3") as server:
        address = str((await read_news(server))["address"])
        bucket, size = await create_bucket(address), 120 << 20
        module = "tests.adapters.files.traffic"

        async with starting(module, address, bucket, str(size)) as program:
            news = await read_news(program)

    assert news["whole"] is True
    assert int(str(news["kilobytes_more"])) < 64 << 10
