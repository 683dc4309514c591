"""Delivery: show a run in its chat until the answer is posted."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace

import stamina
import structlog
from stamina.instrumentation import RetryDetails

from bot.recorder import Recorder
from pipeline.errors import TroupeError, cause, is_passing
from pipeline.ports import Chat

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds to wait before retrying a platform that is down."""

    first: float = 1.0
    longest: float = 60.0

    def retry(self, on: Callable[[Exception], bool]) -> AsyncIterator[stamina.Attempt]:
        """Retry without limit while `on(error)` is true."""
        return aiter(
            stamina.retry_context(
                on=on,
                attempts=None,
                timeout=None,
                wait_initial=self.first,
                wait_max=self.longest,
                wait_jitter=min(1.0, self.first),
            )
        )


def log_retry(details: RetryDetails) -> None:
    """Log a retry without its arguments: the library's own line would quote what people typed."""
    error = details.caused_by
    told = str(error) if isinstance(error, TroupeError) else type(error).__name__
    facts = {"retry_num": details.retry_num, "wait_for": round(details.wait_for, 2)}
    log.warning("trying again", callable=details.name, caused_by=told, **facts)


async def deliver_run(
    chat: Chat,
    recorder: Recorder,
    backoff: Backoff,
    is_wanted: Callable[[], Awaitable[bool]],
) -> None:
    """Show a run in its chat until the answer is posted, however long the platform is down.

    `is_wanted` is called before each retry: the run may have been forgotten meanwhile.
    A bug while showing the run becomes an apology. Raises ChatGone or ChatRefused when
    retrying cannot help.
    """
    async for attempt in backoff.retry(is_passing):
        with attempt:
            if attempt.num > 1 and not await is_wanted():
                return
            try:
                await _follow(chat, recorder)
            except Exception as error:
                if cause(error) is not None:
                    raise
                log.exception("showing broke", run=recorder.queued.run)
                recorder.replace_with_apology(error)
                await _follow(chat, recorder)


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
