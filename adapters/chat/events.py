"""Incoming platform events: deduplicated, ordered within a channel, with failures contained.

Commands and clicks are stored before they are acknowledged, and answered after a restart, too.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from uuid import uuid4
from weakref import WeakValueDictionary

import stamina
import structlog
from cachetools import TTLCache

from pipeline.codec import dump, load
from pipeline.domain import Blob, Command, Incoming, Link, LocalizedText, Reply
from pipeline.errors import ChatError, ChatGone, ChatRefused, StoreUnavailable, TroupeError
from pipeline.ports import Interactions, PendingInteraction
from pipeline.words import say

Json = dict[str, Any]
T = TypeVar("T")

_MOST_KEPT, _HOUR = 100_000, 3600
_LONGEST_WAIT = 60.0

log = structlog.get_logger()


@dataclass(slots=True)
class Dispatcher:
    """Handles events concurrently, but one at a time within a channel."""

    tasks: asyncio.TaskGroup | None = None
    """Runs the handlers; None while the bot is not listening."""
    known: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    _locks: WeakValueDictionary[int | str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )

    def is_new(self, key: str) -> bool:
        """Whether a key comes for the first time: platforms deliver some events repeatedly."""
        is_new = key not in self.known
        self.known[key] = True
        return is_new

    def lock(self, channel: int | str) -> asyncio.Lock:
        """The lock that keeps a channel's events in order."""
        return self._locks.setdefault(channel, asyncio.Lock())

    def start(self, work: Coroutine[None, None, None], channel: int | str = "") -> None:
        """Run something in the background; work with the same channel runs in order."""
        if self.tasks is None:
            work.close()
        else:
            lock = self.lock(channel) if channel else asyncio.Lock()
            contained = self._contain(work, lock)
            try:
                task = self.tasks.create_task(contained)
            except RuntimeError:  # we are shutting down: the platform or the inbox repeats it
                contained.close()
                work.close()
                return
            task.add_done_callback(lambda _: work.close())  # it may be cancelled before it begins

    async def _contain(self, work: Coroutine[None, None, None], lock: asyncio.Lock) -> None:
        """Run one event's work and log a bug in it, so that the other events go on."""
        try:
            async with lock:
                await work
        except Exception:
            log.exception("event handler failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionQueue:
    """Answers a platform's commands and clicks, each once.

    The ids of `interactions` name no person. What a restart interrupts is resumed; what fails
    because the platform or the database is down is retried until it is up again.
    """

    platform: str
    interactions: Interactions
    dispatcher: Dispatcher
    find_person: Callable[[Json], str]
    """The id of the person who typed or pressed."""
    execute: Callable[[Json], Awaitable[Reply]]
    """Carries out an interaction, given the platform's JSON. Repeated if it is interrupted."""
    send: Callable[[Json, Reply], Awaitable[None]]
    """Sends the reply. Repeated if it is interrupted, or raises ChatError for an outage."""
    first_wait: float = 1.0
    """Seconds to wait before the first retry."""

    async def accept(self, id_: str, payload: Json) -> bool:
        """Store an interaction durably and start to answer it. False for a duplicate."""
        pending = PendingInteraction(id_, json.dumps(payload))
        person = self.find_person(payload)
        is_new = await self.interactions.accept(self.platform, id_, pending.payload, person)
        if is_new:
            self.dispatcher.start(self._answer(pending))
        return is_new

    async def accept_and_wait(
        self, id_: str, payload: Json, *, seconds: float, fits: Callable[[Reply], bool]
    ) -> Reply | None:
        """Like `accept`; return the reply if it is there in time and fits an acknowledgement.

        Such a reply counts as sent, so it is neither lost nor repeated after a restart.
        """
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        async def hand_over(payload: Json, reply: Reply) -> None:
            if fits(reply) and not waiting.done():
                waiting.set_result(reply)
            else:
                waiting.cancel()
                await self.send(payload, reply)

        if not await replace(self, send=hand_over).accept(id_, payload):
            return None
        await asyncio.wait((waiting,), timeout=seconds)
        if waiting.cancel() or waiting.cancelled():
            return None
        await self.interactions.finish(self.platform, id_)
        return waiting.result()

    async def resume(self) -> None:
        """Go on with the interactions that were interrupted."""
        for pending in await self.interactions.list_pending(self.platform):
            self.dispatcher.start(self._answer(pending))

    async def _answer(self, pending: PendingInteraction) -> None:
        try:
            await self._execute_and_send(pending)
        except Exception:  # boundary: nothing is left to try
            log.exception("interaction not answered", platform=self.platform)
        await self.interactions.finish(self.platform, pending.id)

    async def _execute_and_send(self, pending: PendingInteraction) -> None:
        payload: Json = json.loads(pending.payload)
        reply: Reply | None = load(Reply, pending.reply) if pending.reply else None
        async for attempt in stamina.retry_context(
            on=lambda error: is_outage(error) or isinstance(error, StoreUnavailable),
            attempts=None,
            timeout=None,
            wait_initial=self.first_wait,
            wait_max=_LONGEST_WAIT,
            wait_jitter=self.first_wait,
        ):
            with attempt:
                if reply is None:
                    reply = await self.execute(payload)
                    await self.interactions.record(self.platform, pending.id, dump(reply))
                await self.send(payload, reply)


def is_outage(error: BaseException) -> bool:
    """Whether a chat platform may accept the same call later."""
    return isinstance(error, ChatError) and not isinstance(error, ChatGone | ChatRefused)


async def contain(work: Awaitable[T]) -> T | LocalizedText:
    """Await what a person asked for: its result, or the sentence that says what went wrong.

    Raises ChatError if the platform is down.
    """
    try:
        return await work
    except TroupeError as error:
        if is_outage(error):
            raise
        return error.sentence
    except Exception:
        reference = uuid4().hex[:8]
        log.exception("request failed", reference=reference)
        return LocalizedText("apology-bug", {"reference": reference})


def find_erasing(message: Incoming, commands: Sequence[Command]) -> str:
    """The words of a command to the bot that deletes for good; "" if a message is none."""
    words = " ".join(message.bare_text.lower().split())
    erasing = [f"{command.name} {what}" for command in commands for what in command.erasing]
    return words if words in erasing and not message.addressing.is_overheard else ""


async def contain_reply(work: Awaitable[Reply], locale: str) -> Reply:
    """The reply to a command or click; an error becomes a reply, too."""
    result = await contain(work)
    return Reply(say(locale, result)) if isinstance(result, LocalizedText) else result


def is_unexpected_page(blob: Blob, link: Link) -> bool:
    """Whether a download returned a web page, such as a sign-in page, instead of the file."""
    start = blob.data[:200].lstrip().lower()
    is_page = "html" in blob.media_type or start.startswith((b"<!doctype html", b"<html"))
    is_unknown_page = link.media_type == "text/html" and link.size < 0
    return is_page and not is_unknown_page and link.size != len(blob.data)
