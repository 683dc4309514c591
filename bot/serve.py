"""The program at work: chats are supervised, the runner answers, old data is swept."""

import asyncio
import gc
import importlib
import signal
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import structlog
import typer

from adapters.store import exclusive
from adapters.web import WebChat
from bot.app import App, Health, open_app
from bot.delivery import Backoff
from bot.platforms import open_chats, open_console
from bot.providers import load_planner
from bot.settings import Settings
from pipeline.background import run_beside
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError, TroupeError, cause
from pipeline.ports import Chat, Listener
from pipeline.words import say

log = structlog.get_logger()

_SWEEP_EVERY = 24 * 3600
_RECORDS_EVERY = 60
_SETTLED = 5.0
_RECENT = timedelta(days=7)
_UNREFERRED = timedelta(hours=24)
"""How long a file may stay without a reference: the message of an upload may still come."""


async def serve(settings: Settings) -> None:
    """Run every configured chat until told to stop. Raises SettingsError when none can work.

    SIGTERM and SIGINT end it politely: what is under way is taken up again at the next start.
    """
    stop_on_sigterm()
    async with open_app(settings) as app, exclusive(settings.database_url):
        chats = open_chats(app)
        async with run_beside(_announce(chats)), run_beside(_warm_up()):
            await work(app, chats)


async def _warm_up() -> None:
    """Load what the first request needs, while the program listens already."""
    await asyncio.to_thread(load_planner)
    await asyncio.to_thread(importlib.import_module, "markdown_it")
    gc.freeze()  # what stays for good is not looked through again: that took 0.1 s at a time


def stop_on_sigterm() -> None:
    """SIGTERM cancels the current task."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


async def _announce(chats: Sequence[Chat]) -> None:
    """Say on the terminal where the program is to be found."""
    for chat in chats:
        text = LocalizedText("serving-chat", {"platform": chat.platform.title()})
        if isinstance(chat, WebChat):
            text = LocalizedText("serving-page", {"address": await chat.address()})
        typer.echo(say("en", text))


async def chat_here(settings: Settings) -> None:
    """Run the chat in the terminal, also beside a server: each takes only its own messages.

    The lock keeps a second terminal from answering this one's messages.
    """
    lock = f"sqlite:///{quote(str(settings.home / 'console'))}"
    async with open_app(settings) as app, exclusive(lock):
        await work(app, [open_console(app)])


async def work(app: App, chats: Sequence[Chat]) -> None:
    """Let the chats listen and the runner answer, until cancelled or no chat is left."""
    app.runner.chats.update({chat.platform: chat for chat in chats})
    async with (
        run_beside(app.runner.serve()),
        run_beside(repeat(lambda: _sweep(app), _SWEEP_EVERY)),
        run_beside(repeat(lambda: _refresh_records(app), _RECORDS_EVERY)),
    ):
        await listen_to_all(chats, app.conversation, app.health)


async def repeat(work: Callable[[], Awaitable[None]], every: float) -> None:
    """Do it now, and again every so many seconds. One failure is no reason to end the program."""
    while True:
        try:
            await work()
        except TroupeError as error:
            log.warning("put off", why=str(error))
        await asyncio.sleep(every)


async def _refresh_records(app: App) -> None:
    """How models have done lately, so that no request has to ask."""
    fresh = await app.persistence.store.track_records(since=datetime.now(UTC) - _RECENT)
    app.ports.records.clear()
    app.ports.records.update(fresh)


async def _sweep(app: App) -> None:
    """Forget what is older than the settings keep, and the files that nothing refers to."""
    keep = timedelta(days=app.settings.troupe_retention_days)
    now = datetime.now(UTC)
    store = app.persistence.store
    await store.prune(older_than=now - keep)
    unused = await app.tools.files.hashes(older_than=now - _UNREFERRED)
    await app.tools.files.discard(tuple(unused - await store.file_hashes()))
    log.debug("swept", kept_days=keep.days)


async def listen_to_all(
    chats: Sequence[Chat],
    listener: Listener,
    health: Health,
    backoff: Backoff | None = None,
    settled: float = _SETTLED,
) -> None:
    """Let every chat listen until none does any more; after `settled` seconds it counts as up.

    Raises SettingsError when the last one ended because it cannot work: a wrong or revoked token.
    """
    health.chats = tuple(chat.platform for chat in chats)
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(
                _keep_listening(chat, listener, health, backoff or Backoff(), settled)
            )
            for chat in chats
        ]
    broken = [error for task in tasks if (error := task.result()) is not None]
    if broken and len(broken) == len(chats):
        raise broken[0]


async def _keep_listening(
    chat: Chat, listener: Listener, health: Health, backoff: Backoff, settled: float
) -> SettingsError | None:
    """Until the chat ends by itself, or cannot work: then why."""

    async def count_as_up() -> None:
        await asyncio.sleep(settled)
        health.down.pop(chat.platform, None)

    def is_passing(error: BaseException) -> bool:
        if not isinstance(error, Exception):  # the program ends
            return False
        known = cause(error)
        health.down[chat.platform] = known.sentence if known else LocalizedText("chat-broke")
        if isinstance(known, SettingsError):
            return False
        unknown = None if known else error
        why = str(known or repr(error))
        log.warning(
            "chat is down, starting again", platform=chat.platform, why=why, exc_info=unknown
        )
        return True

    try:
        async for attempt in backoff.retry(is_passing):
            with attempt:
                async with run_beside(count_as_up()):
                    await chat.listen(listener)
    except Exception as error:
        permanent = cause(error)
        if not isinstance(permanent, SettingsError):
            raise
        why = say("en", permanent.sentence)
        log.error("chat is down", platform=chat.platform, why=why)  # noqa: TRY400 - no bug
        return permanent
    return None
