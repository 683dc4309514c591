"""What the running program tells of itself, and where."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from structlog.testing import capture_logs

from adapters.store.overview import PROGRAM
from bot.app import App, open_app
from bot.home import name_sign_of_life
from bot.program_status import describe_program, open_health
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.domain import LocalizedText, RunId
from pipeline.errors import PlaceRefused
from tests.contracts.messages import message
from tests.fakes.chat import FakeChat
from tests.fakes.places import EMBEDDED


@asynccontextmanager
async def opened(home: Path, **more: str) -> AsyncIterator[App]:
    async with open_app(read_settings({"TROUPE_HOME": str(home), **more})) as app:
        yield app


def value(app: App, name: str, **labels: str) -> float | None:
    return app.monitor.metrics.registry.get_sample_value(name, labels)


async def test_a_port_that_is_taken_is_warned_of_and_the_program_goes_on(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, capture_logs() as logs:
        port = str(taken.getsockname()[1])
        async with opened(tmp_path, TROUPE_HEALTH_PORT=port) as app, open_health(app.monitor):
            assert app.monitor.address == ""

    assert [line["log_level"] for line in logs] == ["warning"]


async def test_health_is_off_where_that_is_set(tmp_path: Path) -> None:
    async with opened(tmp_path, TROUPE_HEALTH_PORT="off") as app, open_health(app.monitor):
        assert app.monitor.address == ""


async def test_the_port_of_the_page_is_left_to_the_page(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    settings = {"TROUPE_WEB_PORT": port, "TROUPE_HEALTH_PORT": port}
    async with opened(tmp_path, **settings) as app, open_health(app.monitor):
        assert app.monitor.address
        assert not app.monitor.address.endswith(f":{port}")


async def test_a_platform_is_up_only_if_it_is_connected_and_not_down(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        app.monitor.chats = [FakeChat("slack"), FakeChat("discord", connected=False), FakeChat("x")]
        app.health.down["x"] = LocalizedText("chat-broke")
        await app.monitor.sample()

        up = {
            name: value(app, "troupe_platform_up", platform=name) for name in ("slack", "discord")
        }
        assert up == {"slack": 1, "discord": 0}
        assert value(app, "troupe_platform_up", platform="x") == 0


async def test_a_place_that_refuses_our_key_is_told_as_closed(tmp_path: Path) -> None:
    async with opened(tmp_path) as app:
        assert value(app, "troupe_place_open", place="embedded") == 1
        refused = PlaceRefused("expert-key-refused", model="m")
        app.tools.health.note_failure(EMBEDDED, "", refused)
        status = await describe_program(app.monitor)

        assert value(app, "troupe_place_open", place="embedded") == 0
        assert status["places"]["embedded"]


async def test_waiting_messages_workers_disk_and_database_are_measured(tmp_path: Path) -> None:
    async with opened(tmp_path, TROUPE_WORKERS="3") as app:
        inbox = app.ports.persistence.inbox
        taking = inbox.take({"slack"})
        await inbox.accept(message("1"), RunId("one"))
        await anext(taking)
        await inbox.accept(message("2"), RunId("two"))
        await app.monitor.sample()
        await app.monitor.sample_storage()

        assert value(app, "troupe_inbox_waiting", platform="slack") == 1
        assert value(app, "troupe_inbox_oldest_seconds") is not None
        assert value(app, "troupe_workers") == 3
        assert value(app, "troupe_workers_busy") == 0
        for folder in ("home", "files"):
            assert value(app, "troupe_disk_free_bytes", folder=folder)
        assert value(app, "troupe_database_bytes")
        await taking.aclose()  # type: ignore[attr-defined]


async def test_the_program_leaves_a_sign_of_life_in_its_database(tmp_path: Path) -> None:
    async with opened(tmp_path, TROUPE_HEALTH_PORT="0") as app, open_health(app.monitor):
        await app.monitor.sample_storage()
        sign = await app.ports.persistence.cache.get(PROGRAM)

    assert sign is not None
    assert json.loads(sign.value)["at"] == app.monitor.address


async def test_how_late_the_event_loop_is_is_measured(tmp_path: Path) -> None:
    async with opened(tmp_path) as app, asyncio.TaskGroup() as group:
        measuring = group.create_task(app.monitor.measure_lag())
        while not app.monitor.lags:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
        measuring.cancel()

    assert value(app, "troupe_event_loop_lag_seconds_count") == 1


def test_each_replica_leaves_its_own_sign_of_life(tmp_path: Path) -> None:
    url = "postgresql://host/troupe"
    one = Settings(troupe_home=tmp_path / "one", troupe_database_url=url)
    two = Settings(troupe_home=tmp_path / "two", troupe_database_url=url)

    assert name_sign_of_life(one) != name_sign_of_life(two)
    assert name_sign_of_life(Settings(troupe_home=tmp_path)) == PROGRAM
