"""Tells the pages that other programs serve what changes here, and ours what changes there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog

from adapters.web.live_feed import AllChanged, LiveFeed, News
from pipeline.background import run_beside
from pipeline.codec import dump, load
from pipeline.errors import StoreUnavailable
from pipeline.ports import Notifications, Topic

log = structlog.get_logger()

_MOST_NEWS = 10
"""In one notification, which may have 7,000 bytes; each is a few hundred long."""
_MOST_WAITING = 100
"""News that wait to be sent; with more, the others are told to read everything anew."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A notification. `program` has told its own readers already."""

    program: str
    news: tuple[News, ...]


@asynccontextmanager
async def relay_feed(feed: LiveFeed, notifications: Notifications) -> AsyncIterator[None]:
    """Connect a feed with those of the other programs while the context is open."""
    relay = _Relay(feed, notifications)
    feed.tell_others = relay.add
    with notifications.subscribe(Topic.FEED, relay.hear):
        async with run_beside(relay.send()):
            yield


@dataclass(slots=True)
class _Relay:
    feed: LiveFeed
    notifications: Notifications
    _waiting: dict[News, None] = field(default_factory=dict)
    _is_waiting: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, news: News) -> None:
        """Have news sent; equal ones are sent once."""
        self._waiting.pop(news, None)
        self._waiting[news] = None
        if len(self._waiting) > _MOST_WAITING:
            self._waiting = {AllChanged(): None}
        self._is_waiting.set()

    async def send(self) -> None:
        """Send what is added, until cancelled."""
        while True:
            await self._is_waiting.wait()
            self._is_waiting.clear()
            while self._waiting:
                news = tuple(self._waiting)[:_MOST_NEWS]
                for each in news:
                    del self._waiting[each]
                await self._publish(news)

    async def _publish(self, news: tuple[News, ...]) -> None:
        try:
            await self.notifications.publish(
                Topic.FEED, dump(_Sent(self.notifications.program, news))
            )
        except ValueError:  # the names of a conversation are long beyond measure
            await self._publish((AllChanged(),))
        except StoreUnavailable:  # it is damaged
            log.exception("other pages not told")

    def hear(self, text: str | None) -> None:
        """Tell our readers what another program has sent; None: that may be anything."""
        try:
            sent = load(_Sent, text) if text is not None else _Sent("", (AllChanged(),))
        except ValueError:  # a newer program's
            sent = _Sent("", (AllChanged(),))
        if sent.program != self.notifications.program:
            for each in sent.news:
                self.feed.hear(each)
