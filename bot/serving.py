"""The program at work: chats that listen, the conversation that answers, the sweeping at night."""

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

import structlog
import typer

from adapters.web import WebChat
from bot.platforms import configured, in_the_terminal
from bot.settings import Settings
from bot.wiring import House, opened
from pipeline.domain import Sentence
from pipeline.errors import TroupeError
from pipeline.ports import Chat
from pipeline.words import say

log = structlog.get_logger()

_SWEEP_EVERY = 24 * 3600
_RECORDS_EVERY = 60
_LATELY = timedelta(days=7)
_UNREFERRED = timedelta(hours=24)
"""How long a file may lie without anything referring to it: an upload whose message is still to come."""


async def serve(settings: Settings) -> None:
    """Run every chat that is configured until told to stop. Raises SettingsError when one cannot begin.

    SIGTERM and SIGINT end it politely: what is under way is taken up again at the next start.
    """
    me = asyncio.current_task()
    assert me is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    async with opened(settings) as house, asyncio.TaskGroup() as group:
        chats = configured(house)
        gc.freeze()  # what is there for good is not looked through again: that held everybody up for 0.1 s at a time
        telling = group.create_task(_tell_where(chats))
        await work(house, chats)
        telling.cancel()


async def _tell_where(chats: Sequence[Chat]) -> None:
    """Say on the terminal where the program is to be found."""
    for chat in chats:
        if isinstance(chat, WebChat):
            typer.echo(say("en", Sentence("serving-page", {"address": await chat.address()})))
        else:
            typer.echo(say("en", Sentence("serving-chat", {"platform": chat.platform.title()})))


async def chat_here(settings: Settings) -> None:
    """Run the chat in the terminal."""
    async with opened(settings) as house:
        await work(house, [in_the_terminal(house)])


async def work(house: House, chats: Sequence[Chat]) -> None:
    """Let the chats listen and the conversation answer, until cancelled or until no chat listens any more."""
    conversation = house.conversation
    conversation.chats.update({chat.platform: chat for chat in chats})
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(conversation.serve()),
            group.create_task(regularly(lambda: _sweep(house), _SWEEP_EVERY)),
            group.create_task(regularly(lambda: _keep_records(house), _RECORDS_EVERY)),
        ]
        listening = [group.create_task(chat.listen(conversation)) for chat in chats]
        await asyncio.wait(listening)
        for task in tasks:
            task.cancel()


async def regularly(work: Callable[[], Awaitable[None]], every: float) -> None:
    """Do it now, and again every so many seconds. That it cannot be done once is no reason to end the program."""
    while True:
        try:
            await work()
        except TroupeError as error:
            log.warning("put off", why=str(error))
        await asyncio.sleep(every)


async def _keep_records(house: House) -> None:
    """How models have done lately, so that no request has to ask."""
    fresh = await house.lasting.store.track_records(since=datetime.now(UTC) - _LATELY)
    house.records.clear()
    house.records.update(fresh)


async def _sweep(house: House) -> None:
    """Forget what is older than the settings keep, and the files that nothing refers to."""
    keep = timedelta(days=house.settings.troupe_retention_days)
    now = datetime.now(UTC)
    await house.files.discard(await house.lasting.store.prune(older_than=now - keep))
    lying = await house.files.hashes(older_than=now - _UNREFERRED)
    await house.files.discard(tuple(lying - await house.lasting.store.file_hashes()))
    log.debug("swept", kept_days=keep.days)
