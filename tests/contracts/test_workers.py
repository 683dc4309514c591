"""What every pool of worker processes does."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.workers.pool import process_workers
from bot.environment import child_environment
from pipeline.errors import MediaError
from pipeline.ports import Workers
from tests.adapters.workers import work
from tests.fakes.outside import FakeWorkers


@pytest.fixture(params=["fake", pytest.param("processes", marks=pytest.mark.program)])
async def workers(request: pytest.FixtureRequest) -> AsyncIterator[Workers]:
    if request.param == "fake":
        yield FakeWorkers()
        return
    async with process_workers(2, child_environment()) as made:
        yield made


async def test_work_returns_what_it_returns(workers: Workers) -> None:
    assert await workers.run(work.add, 1, 2) == 3


async def test_work_raises_what_it_raises(workers: Workers) -> None:
    with pytest.raises(MediaError) as broken:
        await workers.run(work.fail)

    assert broken.value.sentence.id == "media-broken"
    assert broken.value.sentence.args == {"name": "cat.png"}


async def test_more_work_than_places_is_all_done(workers: Workers) -> None:
    async with asyncio.TaskGroup() as group:
        sums = [group.create_task(workers.run(work.add, number, 1)) for number in range(5)]

    assert [each.result() for each in sums] == [1, 2, 3, 4, 5]
