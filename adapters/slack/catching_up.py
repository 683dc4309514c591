"""What was said while the bot was away, in the threads and channels it is active in."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog

from adapters.slack.access import Json, Self
from adapters.slack.entities import people_in
from adapters.slack.hearing import Hearing
from adapters.slack.incoming import PLATFORM, SAID, spoken
from adapters.slack.posting import Posts
from pipeline.domain import Thread
from pipeline.errors import ChatError

Active = Callable[[str, datetime], Awaitable[Sequence[tuple[Thread, str]]]]
"""Threads with a turn since a moment, and the last message seen in each."""

_DAYS, _MOST_THREADS, _MOST_CHANNELS, _PAGE = 1, 100, 20, 200

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class CatchingUp:
    """Looks after downtime; what is found goes the way of what is told, so that nothing is taken twice."""

    me: Self
    posts: Posts
    hearing: Hearing
    active: Active

    async def look(self) -> None:
        since = datetime.now(UTC) - timedelta(days=_DAYS)
        threads = [
            (thread, last if _is_ts(last) else thread.root)
            for thread, last in await self.active(PLATFORM, since)
            if thread.channel.workspace == self.me.team and _is_ts(thread.root)
        ][:_MOST_THREADS]
        for thread, last in threads:
            await self._tried(self._thread(thread, last))
        newest: dict[str, str] = {}
        for thread, last in threads:
            newest[thread.channel.id] = max(last, newest.get(thread.channel.id, ""))
        for channel, last in list(newest.items())[:_MOST_CHANNELS]:
            await self._tried(self._channel(channel, last))

    async def _thread(self, thread: Thread, last: str) -> None:
        async for message in self.posts.messages(thread, oldest=last):
            if str(message["ts"]) > last and message.get("subtype") in SAID:
                await self.hearing.message(thread.channel.id, message)

    async def _channel(self, channel: str, last: str) -> None:
        """Mentions, and everything in a direct message, that began a thread of their own."""
        page = await self.posts.calls.ask(
            "conversations.history", channel=channel, oldest=last, limit=_PAGE
        )
        for message in reversed(page.get("messages") or ()):
            if message.get("subtype") in SAID and self._meant(channel, message):
                await self.hearing.message(channel, message)

    def _meant(self, channel: str, message: Json) -> bool:
        return channel.startswith("D") or self.me.user in people_in(spoken(message))

    async def _tried(self, look: Awaitable[None]) -> None:
        try:
            await look
        except ChatError as error:
            log.warning("could not catch up", error=str(error))


def _is_ts(value: str) -> bool:
    return value.replace(".", "", 1).isdigit()
