"""Supervision of the chats: each is started again when it breaks, and none ends another."""

import asyncio
from collections.abc import Sequence

import structlog

from adapters.chat.retrying import make_retrying
from adapters.network.connections import explain_failure
from bot.health import Health
from pipeline.background import run_beside
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError, cause
from pipeline.ports import Chat, Listener
from pipeline.words import say

log = structlog.get_logger()

_FIRST_WAIT = 1.0
"""Seconds before a chat that broke is started again."""
_SETTLED = 5.0
"""Seconds after which a chat that listens counts as up."""


async def listen_to_all(
    chats: Sequence[Chat],
    listener: Listener,
    health: Health,
    first_wait: float = _FIRST_WAIT,
    settled: float = _SETTLED,
) -> None:
    """Let every chat listen until none is left; restart one that breaks.

    `first_wait` is how many seconds the first restart waits; after `settled` seconds a chat counts
    as up. Raises SettingsError if none of them can work, for instance with a wrong token.
    """
    health.chats = tuple(chat.platform for chat in chats)
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_keep_listening(chat, listener, health, first_wait, settled))
            for chat in chats
        ]
    broken = [error for task in tasks if (error := task.result()) is not None]
    if broken and len(broken) == len(chats):
        raise broken[0]


async def _keep_listening(
    chat: Chat, listener: Listener, health: Health, first_wait: float, settled: float
) -> SettingsError | None:
    """Restart the chat whenever it breaks. Returns the SettingsError if it cannot work."""

    async def count_as_up() -> None:
        await asyncio.sleep(settled)
        health.down.pop(chat.platform, None)

    def is_temporary(error: BaseException) -> bool:
        if not isinstance(error, Exception):  # shutdown
            return False
        known, reason = cause(error), explain_failure(error)
        health.down[chat.platform] = known.sentence if known else LocalizedText("chat-broke")
        if isinstance(known, SettingsError):
            return False
        bug = None if known else error
        why = say("en", reason) if reason else str(known or repr(error))
        log.warning("chat is down, starting again", platform=chat.platform, why=why, exc_info=bug)
        return True

    async def listen() -> None:
        async with run_beside(count_as_up()):
            await chat.listen(listener)

    try:
        await make_retrying(first_wait, is_temporary)(listen)
    except Exception as error:
        permanent = cause(error)
        if not isinstance(permanent, SettingsError):
            raise
        why = say("en", permanent.sentence)
        log.error("chat is down", platform=chat.platform, why=why)  # noqa: TRY400 - no bug
        return permanent
    return None
