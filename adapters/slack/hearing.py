"""What happens in a workspace, handed to the conversation: each message once, in order within its channel."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

import structlog
from cachetools import TTLCache

from adapters.slack.access import Json, Self
from adapters.slack.acknowledging import Acknowledgements
from adapters.slack.directory import Directory
from adapters.slack.entities import people_in
from adapters.slack.incoming import SAID, SHARED, by_bot, incoming, spoken, thread_of, was_edited
from adapters.slack.replying import Replies
from pipeline.domain import Incoming
from pipeline.errors import RequestError
from pipeline.ports import Listener, Seen

_REMEMBERED, _HOUR = 100_000, 3600
_TS = re.compile(r"\d+\.\d+")
EVENTS: Mapping[str, tuple[str, ...]] = {
    "app_mention": ("app_mentions:read",),
    "app_uninstalled": (),
    "message.channels": ("channels:history",),
    "message.groups": ("groups:history",),
    "message.im": ("im:history",),
    "message.mpim": ("mpim:history",),
    "tokens_revoked": (),
}
"""Every event that is subscribed to, and the scopes it needs."""

log = structlog.get_logger()


@dataclass(slots=True)
class Hearing:
    """Turns Slack's events into calls of the listener. An event is acknowledged when its call returned."""

    me: Self
    listener: Listener
    directory: Directory
    replies: Replies
    acknowledgements: Acknowledgements
    seen: Seen
    tasks: asyncio.TaskGroup
    revoked: asyncio.Event = field(default_factory=asyncio.Event)
    _taken: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_REMEMBERED, _HOUR))
    _turns: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def event(self, body: Json) -> None:
        """One delivery of an event."""
        event: Json = {SHARED: body.get(SHARED), **(body.get("event") or {})}
        heard = self._table().get(str(event.get("type")))
        if heard is None:
            return
        channel = str(event.get("channel") or "")
        turn = self._turns.setdefault(channel, asyncio.Lock())
        async with turn:
            await heard(event, str(body.get("event_id") or ""))

    async def message(self, channel: str, message: Json, *, again: bool = False) -> None:
        """A message that somebody wrote, here told or found when catching up; `again` when it was only overheard before."""
        if not (channel and _TS.fullmatch(str(message.get("ts")))):
            return
        key = f"{channel}:{message['ts']}"
        if (key in self._taken and not again) or by_bot(message, self.me):
            return
        said = await incoming(self.me, self.directory, channel, message)
        try:
            run = await self.listener.said(said)
        except RequestError as error:
            await self._refused(said, error)
            run = None
        self._taken[key] = True
        if run is not None:
            self.begin(self.acknowledgements.show(said))

    def begin(self, work: Coroutine[None, None, None]) -> None:
        """Do something beside what is told next; it ends with the listening."""
        self.tasks.create_task(_bounded(work))

    def _table(self) -> Mapping[str, Callable[[Json, str], Awaitable[None]]]:
        return {
            "message": self._message,
            "app_mention": self._mention,
            "tokens_revoked": self._revoked,
            "app_uninstalled": self._revoked,
        }

    async def _mention(self, event: Json, _: str) -> None:
        """Also told when somebody adds the mention by an edit."""
        await self.message(str(event.get("channel") or ""), event, again="edited" in event)

    async def _message(self, event: Json, event_id: str) -> None:
        subtype = event.get("subtype")
        if subtype in SAID:
            await self.message(str(event.get("channel") or ""), event)
        elif subtype == "message_deleted":
            await self._deleted(event, event_id)
        elif subtype == "message_changed":
            await self._changed(event, event_id)

    async def _changed(self, event: Json, event_id: str) -> None:
        new: Json = event.get("message") or {}
        if by_bot(new, self.me) or not (event.get("channel") and new.get("ts")):
            return
        if new.get("subtype") == "tombstone":
            await self._deleted(event, event_id)
        elif was_edited(event) and await self.seen.first(f"slack:{event_id}"):
            channel = str(event["channel"])
            if self._mentions(new) and not self._mentions(event.get("previous_message") or {}):
                await self.message(channel, new, again=True)
            await self.listener.edited(await incoming(self.me, self.directory, channel, new))

    def _mentions(self, message: Json) -> bool:
        return self.me.user in people_in(spoken(message))

    async def _deleted(self, event: Json, event_id: str) -> None:
        old: Json = event.get("previous_message") or {}
        ts = str(event.get("deleted_ts") or old.get("ts") or "")
        if (
            by_bot(old, self.me)
            or not (ts and event.get("channel"))
            or not await self.seen.first(f"slack:{event_id}")
        ):
            return
        thread = thread_of(self.me, str(event["channel"]), {**old, "ts": ts})
        await self.listener.deleted(thread, ts)

    async def _revoked(self, event: Json, _: str) -> None:
        log.error("slack took our token away", why=event.get("type"))
        self.revoked.set()

    async def _refused(self, said: Incoming, error: RequestError) -> None:
        if said.heard.mentioned or said.heard.direct:
            await self.replies.whisper(said.thread, said.person, error.sentence)


async def _bounded(work: Coroutine[None, None, None]) -> None:
    """The boundary of what is done beside: a bug in it ends nothing else."""
    try:
        await work
    except Exception:
        log.exception("slack: something done beside broke")
