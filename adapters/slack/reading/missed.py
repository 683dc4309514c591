"""Reads what was written, edited and deleted in a workspace while the bot was away."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from adapters.chat.backfill import Gap
from adapters.slack.reading.messages import find_time, make_ts
from adapters.slack.web_api.client import FEWEST_CUT, Json, SlackClient
from pipeline.domain import Thread

_BEFORE = timedelta(days=1)
"""How much before a gap the threads begin that are read, if they are not in the chat log."""
_REMEMBERED = timedelta(days=30)
"""How much before a gap replies are read: free plans hide what is older than 90 days."""
_MOST_CHANNELS = 200
"""Channels that are read after a gap, those with the newest threads first."""
_MOST_THREADS = 100
"""Known threads that are read after a gap, the newest ones."""
_KINDS = "public_channel,private_channel,mpim,im"


@dataclass(frozen=True, slots=True)
class MissedMessages:
    """Reads what was written, edited and deleted in a workspace while the bot was away."""

    client: SlackClient
    pass_on: Callable[[Json, str], Awaitable[None]]
    """Handles an event of a channel as if Slack had sent it."""

    async def read(self, gap: Gap) -> None:
        """Read the channels, then the known threads with replies.

        What was written, edited or deleted in the gap is passed on in the order of its place, and
        `gap.spans` gets what was read of each; a place that cannot be read now stays in the gap.
        """
        known = [thread for thread, last in gap.threads if last != thread.root][-_MOST_THREADS:]
        channels = dict.fromkeys(thread.channel.id for thread, _ in reversed(gap.threads))
        with gap.attempt():
            args: Json = {"types": _KINDS, "exclude_archived": True}
            async for each in self.client.read_pages("users.conversations", "channels", **args):
                channels.setdefault(str(each["id"]))
        for channel in [*channels][:_MOST_CHANNELS]:
            with gap.attempt():
                await self._read_channel(gap, channel, {thread.root for thread in known})
        for thread in known:
            with gap.attempt():
                await self._read_thread(gap, thread)

    async def _read_channel(self, gap: Gap, channel: str, known: set[str]) -> None:
        """Read what was said in a channel, and the unknown threads that were begun lately."""
        start = gap.since - _BEFORE
        args: Json = {"channel": channel, "oldest": make_ts(start)}
        await self.client.limits.reads.acquire()
        pages = self.client.read_pages("conversations.history", "messages", **args)
        messages = {str(each["ts"]): each async for each in pages}
        if len(messages) >= FEWEST_CUT:
            start = find_time(min(messages)) or start
        gap.spans[channel] = start, messages.keys()
        for ts, message in sorted(messages.items()):
            await self._handle(gap, channel, message)
            if ts not in known and _is_in(gap, {"ts": message.get("latest_reply")}):
                await self._read_thread(gap, self.client.find_thread(channel, ts))

    async def _read_thread(self, gap: Gap, thread: Thread) -> None:
        await self.client.limits.reads.acquire()
        start = gap.since - _REMEMBERED
        replies = self.client.read_thread(thread, oldest=make_ts(start))
        messages = {str(each["ts"]): each async for each in replies}
        if len(messages) < FEWEST_CUT:
            gap.spans[thread.root] = start, messages.keys()
        for ts, message in messages.items():
            if ts != thread.root:
                await self._handle(gap, thread.channel.id, message)

    async def _handle(self, gap: Gap, channel: str, message: Json) -> None:
        change = {"subtype": "message_changed", "message": message}
        if message.get("subtype") == "tombstone":
            await self.pass_on({**change, "previous_message": message}, channel)
            return
        if _is_in(gap, message):
            await self.pass_on(message, channel)
        if _is_in(gap, message.get("edited") or {}):  # it may have been taken before that
            await self.pass_on(change, channel)


def _is_in(gap: Gap, part: Json) -> bool:
    at = find_time(str(part.get("ts")))
    return at is not None and at > gap.since
