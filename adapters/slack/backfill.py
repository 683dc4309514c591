"""Catches up on what was written, edited and deleted while the bot was away."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import structlog

from adapters.chat.events import Dispatcher, is_outage
from adapters.chat.ports import ChatPorts
from adapters.slack.client import MOST_READ, PLATFORM, Json, SlackClient
from pipeline.domain import Thread
from pipeline.errors import ChatError

_LONGEST, _BEFORE = timedelta(days=3), timedelta(days=1)
"""How old a missed message may be, and how much before the gap the threads begin that are read."""
_SKEW = timedelta(minutes=5)
"""How far our clock may be ahead of Slack's when it sets the first mark."""
_STEP = 10.0
"""Seconds by which the mark moves at least."""
_MOST_CHANNELS, _MOST_THREADS, _MOST_LOGGED = 200, 100, 100
_KINDS = "public_channel,private_channel,mpim,im"

log = structlog.get_logger()


@dataclass(slots=True)
class SlackBackfill:
    """Takes missed messages, edits and deletions of a workspace.

    The mark, kept in the cache, is the time up to which everything was taken. It stands still from
    the loss of the connection until the workspace was read up.
    """

    client: SlackClient
    ports: ChatPorts
    dispatcher: Dispatcher
    take: Callable[[str, Json], Awaitable[None]]
    """Handles a message of a channel as if it had just come."""
    change: Callable[[str, Json], Awaitable[None]]
    """Handles a message that was edited."""
    delete: Callable[[Thread, str], Awaitable[None]]
    """Handles the deletion of a message of a thread."""
    _gaps: int = 1
    """How often the connection was lost; 0 once what came meanwhile is read."""
    _mark: float = 0.0
    _newest: float = 0.0
    """The time of the newest message that was read."""
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def suspend(self) -> None:
        """Leave the mark where it is until `read`."""
        self._gaps += 1

    def advance(self, ts: str) -> None:
        """Move the mark to an event that was taken, which need not wait for that."""
        if not self._gaps and float(ts) >= self._mark + _STEP:
            self._mark = float(ts)
            self.dispatcher.start(self._save(self._mark))

    async def read(self) -> None:
        """Catch up. What Slack refuses is left out; while it is down, the mark stays."""
        async with self._reading:
            gaps, now = self._gaps, datetime.now(UTC)
            active = await self._list_active(now - _LONGEST)
            cached = await self.ports.cache.get(self._name)
            ids = (id_ for thread, last in active for id_ in (thread.root, last) if is_ts(id_))
            mark = float(cached.value) if cached else max(map(float, ids), default=0.0)
            since = max(mark, (now - _LONGEST).timestamp())
            if mark and not await self._read_all(active, since):
                return
            if self._gaps == gaps:  # else the connection was lost again meanwhile
                self._gaps = 0
                await self._save(max(mark, self._newest) or (now - _SKEW).timestamp())

    async def _list_active(self, since: datetime) -> Sequence[tuple[Thread, str]]:
        """The workspace's threads in which somebody wrote lately, with the id of the last turn."""
        active = await self.ports.chat_log.active_threads(PLATFORM, since=since)
        team = self.client.me.team
        return [
            (thread, last)
            for thread, last in active
            if thread.channel.workspace == team and is_ts(thread.root)
        ]

    async def _read_all(self, active: Sequence[tuple[Thread, str]], since: float) -> bool:
        """Read the channels, then the known threads with replies; whether all were read."""
        roots = [thread for thread, _ in active]
        known = [thread for thread, last in active if last != thread.root][-_MOST_THREADS:]
        channels = dict.fromkeys(thread.channel.id for thread in reversed(roots))
        is_whole = await self._try(self._add_channels(channels))
        for channel in list(channels)[:_MOST_CHANNELS]:
            here = {thread.root for thread in roots if thread.channel.id == channel}
            read_later = here & {thread.root for thread in known}
            is_whole &= await self._try(self._read_channel(channel, here, read_later, since))
        for thread in known:
            is_whole &= await self._try(self._read_thread(thread, since))
        return is_whole

    async def _try(self, reading: Awaitable[None]) -> bool:
        """Whether it worked, or never will."""
        try:
            await reading
        except ChatError as error:
            log.warning("could not backfill", error=str(error))
            return not is_outage(error)
        return True

    async def _add_channels(self, channels: dict[str, None]) -> None:
        args: Json = {"types": _KINDS, "exclude_archived": True}
        async for channel in self.client.read_pages("users.conversations", "channels", **args):
            channels.setdefault(str(channel["id"]))

    async def _read_channel(
        self, channel: str, logged: set[str], known: set[str], since: float
    ) -> None:
        """Read what was said in a channel, and the unknown threads that were begun lately."""
        start = since - _BEFORE.total_seconds()
        args: Json = {"channel": channel, "oldest": f"{start:.6f}"}
        await self.client.limits.reads.take()
        pages = self.client.read_pages("conversations.history", "messages", **args)
        messages = sorted([each async for each in pages], key=lambda each: str(each["ts"]))
        if len(messages) >= MOST_READ:
            start = float(messages[0]["ts"])
        for message in messages:
            thread = self.client.find_thread(channel, message["ts"])
            await self._handle(thread, message, since)
            has_news = float(message.get("latest_reply") or 0) > since
            if has_news and message["ts"] not in known:
                await self._read_thread(thread, since)
        gone = logged - {str(each["ts"]) for each in messages}
        for ts in (each for each in gone if float(each) > start):
            await self.delete(self.client.find_thread(channel, ts), ts)

    async def _read_thread(self, thread: Thread, since: float) -> None:
        """Read the replies in a thread, and find out which of the logged ones are deleted."""
        context = await self.ports.chat_log.context(thread, turns=_MOST_LOGGED, tail=0)
        keys = (turn.key.removeprefix(f"{thread.channel.key}:") for turn in context.turns)
        logged = {key for key in keys if is_ts(key)}  # before reading, as more may come
        await self.client.limits.reads.take()
        seen = {str(each["ts"]): each async for each in self.client.read_thread(thread)}
        for ts, message in seen.items():
            if ts != thread.root:
                await self._handle(thread, message, since)
        for ts in logged - seen.keys() if len(seen) < MOST_READ else ():
            await self.delete(thread, ts)

    async def _handle(self, thread: Thread, message: Json, since: float) -> None:
        edited = message.get("edited") or {}
        self._newest = max(self._newest, float(message["ts"]))
        if message.get("subtype") == "tombstone":
            await self.delete(thread, str(message["ts"]))
            return
        if float(message["ts"]) > since:
            await self.take(thread.channel.id, message)
        if float(edited.get("ts") or 0) > since:  # it may have been taken before that
            await self.change(thread.channel.id, message)

    @property
    def _name(self) -> str:
        return f"{PLATFORM}:{self.client.me.team}:read"

    async def _save(self, mark: float) -> None:
        self._mark = mark
        await self.ports.cache.put(self._name, f"{mark:.6f}")


def is_ts(id_: str) -> bool:
    """Whether the id of a message is Slack's, and not that of a run or a command."""
    whole, _, part = id_.partition(".")
    return whole.isdecimal() and part.isdecimal()
