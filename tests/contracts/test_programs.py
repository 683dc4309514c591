"""Programs that start and end beside others, on PostgreSQL."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.store import open_persistence
from adapters.store.postgres import lock_for_migration
from adapters.store.programs import Program
from bot.app import open_app
from bot.replicas import Replicas
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.errors import SettingsError
from tests.contracts.conftest import EMPTIED
from tests.contracts.postgres import order
from tests.fakes.outside import FakeWorkers

pytestmark = pytest.mark.program

_DIES = "UPDATE programs SET seen = seen - 60"


@pytest.fixture
def server(postgres: str) -> str:
    asyncio.run(order(postgres, EMPTIED))
    return postgres


def given(url: str, home: Path, **more: str) -> Settings:
    common = {"TROUPE_DATABASE_URL": url, "TROUPE_HOME": str(home), "TROUPE_WEB": "true"}
    return read_settings({**common, **more})


@asynccontextmanager
async def program(url: str, home: Path, **more: str) -> AsyncIterator[Replicas]:
    async with open_persistence(url) as persistence:
        yield Replicas(settings=given(url, home, **more), persistence=persistence)


async def test_programs_know_of_each_other_while_they_are_at_work(
    server: str, tmp_path: Path
) -> None:
    async with (
        program(server, tmp_path) as one,
        program(server, tmp_path) as two,
        one.take_part(),
    ):
        assert not one.are_there()
        async with two.take_part():
            await _until(one, count=1)
            await _until(two, count=1)
            assert [each.id for each in one.others] == [two.id]
            alive = await one.persistence.programs.list_alive()
            assert [each.id for each in alive] == [one.id, two.id]
            assert alive[0].host
        await _until(one, count=0)


async def test_one_with_another_token_is_refused_and_leaves_nothing(
    server: str, tmp_path: Path
) -> None:
    async with (
        program(server, tmp_path) as one,
        program(server, tmp_path, TROUPE_WEB_TOKEN="other") as two,
        one.take_part(),
    ):
        with pytest.raises(SettingsError) as refused:
            async with two.take_part():
                pass

        assert refused.value.sentence.id == "replicas-differ"
        assert refused.value.sentence.args["names"] == "TROUPE_WEB_TOKEN"
        assert [each.id for each in await one.persistence.programs.list_alive()] == [one.id]


async def test_one_with_other_files_is_refused_and_leaves_none(server: str, tmp_path: Path) -> None:
    files = tmp_path / "other" / "files"
    settings = given(server, tmp_path, TROUPE_FILES_URL=str(files))
    async with program(server, tmp_path) as one, one.take_part():
        with pytest.raises(SettingsError) as refused:
            async with open_app(settings, FakeWorkers(), serves=True):
                pass
        assert refused.value.sentence.id == "replicas-files"
        assert not files.parent.exists()


async def test_one_that_died_does_not_keep_its_successor_out(server: str, tmp_path: Path) -> None:
    async with program(server, tmp_path, TROUPE_WEB_TOKEN="new") as successor:
        dead = Program(
            id="dead",
            host="here",
            version="1",
            traits={"TROUPE_WEB_TOKEN": "old"},
            started=datetime.now(UTC),
            seen=datetime.now(UTC),
        )
        await successor.persistence.programs.join(dead, lambda _: None)
        async with asyncio.TaskGroup() as group:
            starting = group.create_task(_start(successor))
            await asyncio.sleep(0.5)
            assert not starting.done()
            await order(server, _DIES)
        assert starting.result()


async def test_one_begins_work_while_another_migrates(server: str, tmp_path: Path) -> None:
    engine = create_async_engine(server)
    async with program(server, tmp_path) as one, engine.begin() as migrating:
        await migrating.run_sync(lock_for_migration)
        async with asyncio.timeout(5), one.take_part():
            pass
    await engine.dispose()


async def test_a_clock_that_is_off_is_told(server: str, tmp_path: Path) -> None:
    async with program(server, tmp_path) as one:
        for seconds in (-3600, 3600):
            one.clock = lambda seconds=seconds: time.time() + seconds  # type: ignore[misc]
            with pytest.raises(SettingsError) as refused:
                async with one.take_part():
                    pass
            assert refused.value.sentence.id == "replica-clock"
            assert refused.value.sentence.args["seconds"] in range(3500, 3700)


async def _start(replicas: Replicas) -> bool:
    async with replicas.take_part():
        return True


async def _until(replicas: Replicas, *, count: int) -> None:
    """Others are known a moment after they come or go."""
    async with asyncio.timeout(30):
        while len(replicas.others) != count:  # noqa: ASYNC110 - what is waited for is elsewhere
            await asyncio.sleep(0.05)
