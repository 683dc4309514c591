"""What is sent to a chat platform arrives soon or never; others may take their time."""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from yarl import URL

from bot.app import open_app
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.ports import Message, Prompt, stream_text
from tests.bot.test_clients import listening
from tests.fakes.outside import FakeWorkers
from tests.servers.discord import play_discord
from tests.servers.openai import openai_at_work
from tests.servers.slack import SlackServer

pytestmark = pytest.mark.skipif(
    not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has TCP_USER_TIMEOUT"
)
LEASE = 8


def read_timeouts(address: str) -> set[int]:
    """The milliseconds after which the kernel ends our connections to a server, 0 for never."""
    port, values = URL(address).port, set[int]()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # those that were closed meanwhile, or only listen
            if not path.readlink().name.startswith("socket:"):
                continue
            with socket.socket(fileno=os.dup(int(path.name))) as each:
                if each.family == socket.AF_INET and each.getpeername()[1] == port:
                    values.add(each.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))
    return values


def settings(home: Path, given: Mapping[str, str]) -> Settings:
    own = {"TROUPE_HOME": str(home), "TROUPE_EXPERTS": "off", "TROUPE_PLACES": "llm"}
    return read_settings({**own, "TROUPE_LEASE_SECONDS": str(LEASE), **given})


@pytest.fixture(params=["", "postgres"])
def database(request: pytest.FixtureRequest) -> tuple[str, int]:
    """The database's address, "" for the file, and the milliseconds in which posts arrive."""
    if not request.param:
        return "", 10_000
    return str(request.getfixturevalue(request.param)), LEASE * 250


async def test_posts_to_slack_arrive_within_a_quarter_of_a_lease_or_never(
    tmp_path: Path, database: tuple[str, int]
) -> None:
    async with SlackServer() as server:
        given = {"SLACK_BOT_TOKEN": server.bot_token, "SLACK_APP_TOKEN": server.app_token}
        given["SLACK_API_BASE_URL"], given["TROUPE_DATABASE_URL"] = server.api, database[0]
        async with (
            open_app(settings(tmp_path, given), FakeWorkers()) as app,
            listening(app),
        ):
            await server.until(lambda: server.socket.lines)

            assert read_timeouts(server.api) == {database[1]}


async def test_posts_to_discord_arrive_within_a_quarter_of_a_lease_or_never(
    tmp_path: Path, database: tuple[str, int]
) -> None:
    async with play_discord() as server:
        server.people.guild("team", server.people.person("ada"))
        given = {"DISCORD_TOKEN": server.world.token, "DISCORD_API_BASE_URL": server.api}
        given["DISCORD_GATEWAY_URL"] = server.gateway.address
        given["TROUPE_DATABASE_URL"] = database[0]
        async with (
            open_app(settings(tmp_path, given), FakeWorkers()) as app,
            listening(app),
        ):
            await server.world.until(lambda: server.gateway.identified)

            assert read_timeouts(server.api) == {database[1]}


async def test_a_language_model_may_read_as_slowly_as_it_likes(tmp_path: Path) -> None:
    async with openai_at_work() as server:
        given = {"OPENAI_BASE_URL": server.base}
        async with open_app(settings(tmp_path, given), FakeWorkers()) as app:
            assert app.llm
            prompt = Prompt((Message("user", "hello"),))
            assert [piece async for piece in stream_text(app.llm, prompt)]

            assert read_timeouts(server.base) == {0}
