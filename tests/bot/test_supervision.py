"""Chats fail and recover independently."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import ClientError
from structlog.testing import capture_logs

from adapters.network.connections import explain_failure, open_session
from adapters.network.proxies import Network, read_proxy
from bot.health import Health
from bot.supervision import listen_to_all
from pipeline.domain import LocalizedText
from pipeline.errors import ChatError, SettingsError, StoreUnavailable
from pipeline.ports import Listener
from pipeline.words import say
from tests.fakes.chat import FakeChat, FakeListener

AT_ONCE = 0.0


@dataclass
class FailingChat(FakeChat):
    """Raises one error per call of `listen`, then listens."""

    errors: list[Exception] = field(default_factory=list)
    listening: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self, listener: Listener) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.listening.set()
        await FakeChat.listen(self, listener)


@asynccontextmanager
async def supervised(health: Health, *chats: FailingChat) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(listen_to_all(chats, FakeListener(), health, AT_ONCE, 0.0))
        yield
        task.cancel()


async def until(is_so: Callable[[], object]) -> None:
    while not is_so():  # noqa: ASYNC110 - nothing tells when a chat counts as up or down
        await asyncio.sleep(0)


async def test_a_chat_that_cannot_work_is_down_and_the_others_go_on() -> None:
    health = Health({})
    slack = FailingChat("slack", errors=[SettingsError("slack-revoked", link="x")])
    discord = FailingChat("discord")

    async with supervised(health, slack, discord):
        await discord.listening.wait()
        await until(lambda: health.down)
        ready, down = await health.check()

    assert ready
    assert list(down) == ["slack"]


async def test_a_chat_that_failed_is_started_again_and_counts_as_up() -> None:
    health = Health({})
    slack = FailingChat("slack", errors=[OSError("reset"), ChatError("slack-unreachable")])

    async with supervised(health, slack):
        await slack.listening.wait()
        await until(lambda: not health.down)

        assert await health.check() == (True, {})


async def test_the_log_says_when_a_proxy_or_a_certificate_is_why_a_chat_is_down() -> None:
    network = Network(https=read_proxy("http://127.0.0.1:9", "HTTPS_PROXY"))
    lost = ChatError("slack-unreachable")
    async with open_session(network, seconds=5) as session:
        try:
            await session.get("https://slack.test/")
        except ClientError as error:
            lost.__cause__ = error
    slack = FailingChat("slack", errors=[lost])

    with capture_logs() as logs:
        async with supervised(Health({}), slack):
            await slack.listening.wait()

    reason = explain_failure(lost)
    assert reason
    assert [entry["why"] for entry in logs if "why" in entry] == [say("en", reason)]


async def test_the_program_ends_when_no_chat_can_work() -> None:
    chats = [
        FailingChat(name, errors=[SettingsError(f"{name}-revoked", link="x")])
        for name in ("slack", "discord-token")
    ]
    health = Health({})

    with pytest.raises(SettingsError) as ended:
        await listen_to_all(chats, FakeListener(), health, AT_ONCE)

    assert ended.value.sentence.id == "slack-revoked"
    assert (await health.check())[0] is False


async def test_the_page_alone_makes_no_program_ready_whose_platforms_are_down() -> None:
    health = Health({})
    slack = FailingChat("slack", errors=[SettingsError("slack-revoked", link="x")])
    page = FailingChat("web")

    async with supervised(health, slack, page):
        await page.listening.wait()
        await until(lambda: health.down)

        assert (await health.check())[0] is False


async def test_a_program_whose_disk_is_full_is_not_ready_and_says_why() -> None:
    async def probe() -> None:
        raise StoreUnavailable("store-full")

    ready, down = await Health({"database": probe}, ("web",)).check()

    assert not ready
    assert down == {"database": say("en", LocalizedText("store-full"))}


async def test_whoever_asks_at_the_same_time_shares_one_probe() -> None:
    asked: list[str] = []

    async def probe() -> None:
        asked.append("database")

    health = Health({"database": probe})
    async with asyncio.TaskGroup() as group:
        for _ in range(50):
            group.create_task(health.check())

    assert asked == ["database"]
