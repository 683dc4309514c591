"""The program at work: chats that listen, the conversation that answers, the sweeping at night."""

import asyncio
import signal
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import structlog

from bot.platforms import configured, in_the_terminal
from bot.settings import Settings
from bot.wiring import House, opened
from pipeline.ports import Chat

log = structlog.get_logger()

_SWEEP_EVERY = 24 * 3600
_UNREFERRED = timedelta(hours=24)
"""How long a file may lie without anything referring to it: an upload whose message is still to come."""


async def serve(settings: Settings) -> None:
    """Run every chat that is configured until told to stop. Raises SettingsError when one cannot begin."""
    async with opened(settings) as house:
        await _work(house, configured(house))


async def chat_here(settings: Settings) -> None:
    """Run the chat in the terminal."""
    async with opened(settings) as house:
        await _work(house, [in_the_terminal(house)])


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
