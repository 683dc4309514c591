"""The program at work: chats that listen, the conversation that answers, the sweeping at night."""

import asyncio
import signal
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import structlog

from adapters.web import WebChat, WebOptions, WebPorts
from bot.planning import plan_of
from bot.settings import Settings
from bot.wiring import House, opened
from pipeline.domain import Incoming, Planned
from pipeline.ports import Chat

log = structlog.get_logger()

_MEBI = 1 << 20
_SWEEP_EVERY = 24 * 3600
_UNREFERRED = timedelta(hours=24)
"""How long a file may lie without anything referring to it: an upload whose message is still to come."""


async def serve(settings: Settings) -> None:
    """Run every chat that is configured until told to stop. Raises SettingsError when one cannot begin."""
    async with opened(settings) as house:
        await _work(house, _chats(house))


async def chat_here(settings: Settings) -> None:
    """Run the chat in the terminal."""
    async with opened(settings) as house:
        await _work(house, [])


async def _work(house: House, chats: Sequence[Chat]) -> None:
    conversation = house.conversation
    conversation.chats.update({chat.platform: chat for chat in chats})
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(conversation.serve()),
            group.create_task(_sweep(house)),
        ]
        listening = [group.create_task(chat.listen(conversation)) for chat in chats]
        _stop_on_signals([*tasks, *listening])
        await asyncio.wait(listening)
        for task in tasks:
            task.cancel()


def _stop_on_signals(tasks: Sequence[asyncio.Task[None]]) -> None:
    """A polite end: what is under way is taken up again at the next start."""

    def stop() -> None:
        for task in tasks:
            task.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)


def _chats(house: House) -> list[Chat]:
    settings = house.settings
    chats: list[Chat] = []
    if settings.web:
        chats.append(_web(house))
    return chats


def _web(house: House) -> WebChat:
    settings = house.settings
    options = WebOptions(
        host=settings.troupe_web_host,
        port=settings.troupe_web_port,
        token=settings.troupe_web_token,
        public_url=settings.troupe_public_url,
        max_text=settings.troupe_max_text,
        max_file=settings.troupe_max_file_mb * _MEBI,
    )

    async def plan(message: Incoming) -> Planned:
        return await plan_of(message, chat, house)

    chat = WebChat(options, WebPorts(house.files, house.lasting.store, house.fetch, plan))
    return chat


async def _sweep(house: House) -> None:
    """Once a day: forget what is older than the settings keep, and the files that nothing refers to."""
    keep = timedelta(days=house.settings.troupe_retention_days)
    while True:
        now = datetime.now(UTC)
        await house.files.discard(await house.lasting.store.prune(older_than=now - keep))
        lying = await house.files.hashes(older_than=now - _UNREFERRED)
        await house.files.discard(tuple(lying - await house.lasting.store.file_hashes()))
        log.info("swept", kept_days=keep.days)
        await asyncio.sleep(_SWEEP_EVERY)
