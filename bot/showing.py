"""A run shown where it was asked for, whatever happens to the platform meanwhile."""

import asyncio
from collections.abc import Sequence

import structlog

from bot.record import Recorder
from pipeline.domain import Sentence
from pipeline.errors import ChatError, ChatGone, cause
from pipeline.ports import Chat, Taken

log = structlog.get_logger()


async def show(taken: Taken, chat: Chat, recorder: Recorder, again: Sequence[float]) -> None:
    """Show the run: from its beginning again when the platform was not reached, as an apology where showing it is a bug.

    `again`: seconds to wait before each further try. Raises what the last one raises.
    """
    for wait in again:
        error = await _tried(taken, chat, recorder)
        if error is None:
            return
        told = cause(error)
        if told is None:
            log.error("showing broke", run=taken.run, exc_info=error)
            recorder.take_back(Sentence("apology-bug", {"reference": recorder.reference}))
            break
        if isinstance(told, ChatGone) or not isinstance(told, ChatError):
            raise told from error
        log.warning("not shown, trying again", run=taken.run, why=str(told), wait=wait)
        await asyncio.sleep(wait)
    await chat.follow(taken.message, taken.run, recorder.events())


async def _tried(taken: Taken, chat: Chat, recorder: Recorder) -> Exception | None:
    """What goes wrong in showing the run. In a task of its own, so that it cannot take the place of being cancelled."""

    async def follow() -> Exception | None:
        try:
            await chat.follow(taken.message, taken.run, recorder.events())
        except Exception as error:  # noqa: BLE001 - looked at above
            return error
        return None

    async with asyncio.TaskGroup() as group:
        following = group.create_task(follow())
    return following.result()
