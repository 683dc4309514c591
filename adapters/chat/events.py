"""What comes in from a chat platform: each event once, a channel's in order, failures contained."""

import asyncio
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import uuid4
from weakref import WeakValueDictionary

import structlog
from cachetools import TTLCache

from adapters.chat.presenter import Delivery
from pipeline.domain import Blob, HealthCheck, Link, LocalizedText, Reply
from pipeline.errors import TroupeError
from pipeline.ports import ChatLog, Fetch
from pipeline.words import say

T = TypeVar("T")

_MOST_KEPT, _HOUR = 100_000, 3600

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPorts(Delivery):
    """What a chat platform needs of the rest of the program."""

    fetch: Fetch
    chat_log: ChatLog


@dataclass(slots=True)
class Dispatcher:
    """Work on events, beside each other, except within a channel."""

    tasks: asyncio.TaskGroup | None = None
    """Where the work is done; it ends with the listening."""
    known: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    _locks: WeakValueDictionary[int | str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )

    def is_new(self, key: str) -> bool:
        """False from the second time on: platforms send the same event several times."""
        is_new = key not in self.known
        self.known[key] = True
        return is_new

    def lock(self, channel: int | str) -> asyncio.Lock:
        """Held while an event of the channel is taken."""
        return self._locks.setdefault(channel, asyncio.Lock())

    def begin(self, work: Coroutine[None, None, None], channel: int | str = "") -> None:
        """Do something beside the next event; in a channel, one after the other."""
        if self.tasks is None:
            work.close()
        else:
            self.tasks.create_task(
                self._contain(work, self.lock(channel) if channel else asyncio.Lock())
            )

    async def _contain(self, work: Coroutine[None, None, None], lock: asyncio.Lock) -> None:
        """The boundary of an event: a bug in one ends no other."""
        async with lock:
            try:
                await work
            except Exception:
                log.exception("work on an event broke")


async def contain(work: Awaitable[T]) -> T | LocalizedText:
    """The boundary of what a person asks for: its result, or what went wrong."""
    try:
        return await work
    except TroupeError as error:
        return error.sentence
    except Exception:
        reference = uuid4().hex[:8]
        log.exception("a request broke", reference=reference)
        return LocalizedText("apology-bug", {"reference": reference})


async def contain_reply(work: Awaitable[Reply], locale: str) -> Reply:
    """What a command or click is answered with, whatever goes wrong."""
    result = await contain(work)
    return Reply(say(locale, result)) if isinstance(result, LocalizedText) else result


def is_page_instead(blob: Blob, link: Link) -> bool:
    """Whether a platform answered with a web page, such as its sign-in, instead of a file."""
    start = blob.data[:200].lstrip().lower()
    is_page = "html" in blob.media_type or start.startswith((b"<!doctype html", b"<html"))
    was_sent = link.media_type == "text/html" and link.size in (-1, len(blob.data))
    return is_page and not was_sent


def report_good(id_: str, **args: str | int) -> HealthCheck:
    """A finding of the doctor's."""
    return HealthCheck(LocalizedText(id_, args), good=True)


def report_bad(id_: str, mend: str, **args: str | int) -> HealthCheck:
    """A finding of the doctor's; `mend` says how to put it right."""
    return HealthCheck(LocalizedText(id_, args), good=False, mend=mend)
