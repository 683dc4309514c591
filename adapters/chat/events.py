"""Incoming platform events: deduplicated, ordered within a channel, with failures contained."""

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
    """The ports that a chat platform uses."""

    fetch: Fetch
    chat_log: ChatLog


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
            self.tasks.create_task(
                self._contain(work, self.lock(channel) if channel else asyncio.Lock())
            )

    async def _contain(self, work: Coroutine[None, None, None], lock: asyncio.Lock) -> None:
        """Run one event's work and log a bug in it, so that the other events go on."""
        async with lock:
            try:
                await work
            except Exception:
                log.exception("event handler failed")


async def contain(work: Awaitable[T]) -> T | LocalizedText:
    """Await what a person asked for: its result, or the sentence that says what went wrong."""
    try:
        return await work
    except TroupeError as error:
        return error.sentence
    except Exception:
        reference = uuid4().hex[:8]
        log.exception("request failed", reference=reference)
        return LocalizedText("apology-bug", {"reference": reference})


async def contain_reply(work: Awaitable[Reply], locale: str) -> Reply:
    """The reply to a command or click; an error becomes a reply, too."""
    result = await contain(work)
    return Reply(say(locale, result)) if isinstance(result, LocalizedText) else result


def is_unexpected_page(blob: Blob, link: Link) -> bool:
    """Whether a download returned a web page, such as a sign-in page, instead of the file."""
    start = blob.data[:200].lstrip().lower()
    is_page = "html" in blob.media_type or start.startswith((b"<!doctype html", b"<html"))
    is_expected = link.media_type == "text/html" and link.size in (-1, len(blob.data))
    return is_page and not is_expected


def report_good(id_: str, **args: str | int) -> HealthCheck:
    """A check of the doctor's that passed."""
    return HealthCheck(LocalizedText(id_, args), good=True)


def report_bad(id_: str, mend: str, **args: str | int) -> HealthCheck:
    """A check that failed; `mend` is the link or command that fixes it."""
    return HealthCheck(LocalizedText(id_, args), good=False, mend=mend)
