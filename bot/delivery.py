"""Delivery: show a run in its chat until the answer is posted."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import structlog

from adapters.chat.retrying import make_retrying
from bot.recorder import Recorder
from pipeline.errors import cause, is_passing
from pipeline.ports import Chat

log = structlog.get_logger()


async def deliver_run(
    chat: Chat,
    recorder: Recorder,
    is_wanted: Callable[[], Awaitable[bool]],
    *,
    first_wait: float,
) -> None:
    """Show a run in its chat until the answer is posted, however long the platform is down.

    `is_wanted` is called before each retry: the run may have been forgotten meanwhile. `first_wait`
    is how many seconds the first retry waits. A bug while showing the run becomes an apology.
    Raises ChatGone or ChatRefused when retrying cannot help.
    """
    is_retry = False

    async def deliver() -> None:
        nonlocal is_retry
        if is_retry and not await is_wanted():
            return
        is_retry = True
        try:
            await _follow(chat, recorder)
        except Exception as error:
            if cause(error) is not None:
                raise
            log.exception("showing broke", run=recorder.queued.run)
            recorder.replace_with_apology(error)
            await _follow(chat, recorder)

    await make_retrying(first_wait, is_passing)(deliver)


async def _follow(chat: Chat, recorder: Recorder) -> None:
    """Follow in a separate task, so that an error at shutdown cannot hide the cancellation."""
    queued = recorder.queued
    message = replace(queued.message, person=queued.message.asker)

    async def follow() -> Exception | None:
        try:
            await chat.follow(message, queued.run, recorder.events())
        except Exception as error:  # noqa: BLE001 - raised again below
            return error
        return None

    async with asyncio.TaskGroup() as group:
        task = group.create_task(follow())
    if (error := task.result()) is not None:
        raise error
