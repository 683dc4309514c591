"""Catches up on what was written while the bot was away."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import discord
import structlog
from discord.utils import snowflake_time, time_snowflake, utcnow

from adapters.chat.events import is_outage
from adapters.chat.ports import ChatPorts
from adapters.discord.calls import CALL_ERRORS, translate_error
from adapters.discord.messages import DIRECT, PLATFORM
from adapters.discord.threads import Room, find_channel, find_room, read_history
from pipeline.domain import Thread
from pipeline.errors import ChatError, TroupeError

_LONGEST = timedelta(days=3)
"""How old a missed message may be to be taken."""
_SOONEST_ARCHIVED = timedelta(hours=1)
"""Discord archives no thread sooner than this after its last message."""
_PAGE = 100
_STEP, _MARGIN = (seconds * 1000 << 22 for seconds in (10, 120))
"""How often the mark is moved, and how far before it reading starts, in units of message ids.

Channels are handled side by side: an older message may be taken after a newer one has moved the
mark. What is read twice is taken once.
"""

_Channel = discord.TextChannel | discord.ForumChannel
"""What has threads that are archived."""

log = structlog.get_logger()


@dataclass(slots=True)
class Backfill:
    """Takes missed messages, edits and deletions, server by server.

    Each server has a mark, kept in the cache: the newest message before which everything was
    taken. It stands still from the start of a session until the server was read up.
    """

    client: discord.Client
    ports: ChatPorts
    take: Callable[[discord.Message], Awaitable[None]]
    """Handles a message, new or edited, to the end."""
    delete: Callable[[Thread, str], Awaitable[None]]
    """Handles the deletion of a message of a thread."""
    skip: Callable[[int], None]
    """Makes `take` handle nothing but a new edit of the message with an id."""
    _behind: set[str] = field(default_factory=set)
    _marks: dict[str, int] = field(default_factory=dict)

    def suspend(self, shard: int) -> None:
        """Leave the marks of a shard's servers where they are until they are read up."""
        self._behind |= {_name_place(each) for each in self.client.guilds if each.shard_id == shard}
        if shard == 0:
            self._behind.add(DIRECT)

    async def advance(self, message: discord.Message) -> None:
        """Move the mark of a message's server to it."""
        place = _name_place(message.guild)
        if place not in self._behind and message.id >= self._marks.get(place, 0) + _STEP:
            await self._save(place, message.id)

    async def read(self, guild: discord.Guild | None) -> None:
        """Catch up on a server, or on the direct messages. Without a mark, nothing is read.

        What Discord refuses for good is left out. Raises ChatError if it is down somewhere; the
        rest is read before that.
        """
        now, place = utcnow(), _name_place(guild)
        active = await self.ports.chat_log.active_threads(PLATFORM, since=now - _LONGEST)
        known = [(thread, int(last)) for thread, last in active if last.isdigit()]
        known = [(thread, last) for thread, last in known if thread.channel.workspace == place]
        mark = await self._load(place) or max((last for _, last in known), default=0)
        since = max(mark - _MARGIN, time_snowflake(now - _LONGEST))
        failures: list[TroupeError] = []
        if mark:
            logged = [each for thread, _ in known for each in await self._find_logged(thread)]
            for _, message in logged:
                if message <= mark:  # left to the people then, even if we take part in it now
                    self.skip(message)
            spoken_in = await self._find_active_rooms((thread for thread, _ in known), failures)
            rooms = {*spoken_in, *await _find_rooms(guild, snowflake_time(since), now, failures)}
            spans: dict[str, _Span] = {}
            for room in rooms:
                with _keeping(failures):
                    has_older = room in spoken_in
                    spans[str(room.id)] = await self._read_room(room, since, has_older=has_older)
            for thread, message in logged:
                if _is_deleted(thread, message, spans):
                    await self.delete(thread, str(message))
        if failures:
            raise failures[0]
        self._behind.discard(place)
        await self._save(place, time_snowflake(now))

    async def _read_room(self, room: Room, since: int, *, has_older: bool) -> "_Span":
        """Take a room's messages since then, and edits of older ones."""
        ids: set[int] = set()
        async for message in room.history(limit=None, after=discord.Object(since)):
            ids.add(message.id)
            await self.take(message)
        before = discord.Object(since + 1)
        older = await read_history(room, limit=_PAGE, before=before) if has_older else ()
        for message in older:
            if message.edited_at and message.edited_at > snowflake_time(since):
                await self.take(message)
        start = older[-1].id if len(older) == _PAGE else 0
        return _Span(start if has_older else since, ids | {message.id for message in older})

    async def _find_logged(self, thread: Thread) -> Sequence[tuple[Thread, int]]:
        """The newest messages of people that are logged for a thread."""
        context = await self.ports.chat_log.context(thread, turns=_PAGE, tail=0)
        prefix = f"{thread.channel.key}:"
        ids = [turn.key.removeprefix(prefix) for turn in context.turns]
        return [(thread, int(id_)) for id_ in ids if id_.isdigit()]

    async def _find_active_rooms(
        self, active: Iterable[Thread], failures: list[TroupeError]
    ) -> set[Room]:
        rooms: set[Room | None] = set()
        for thread in active:
            rooms.add(find_room(self.client, thread.root))
            with _keeping(failures):
                rooms.add(await find_channel(self.client, thread))
        return {room for room in rooms if room is not None}

    async def _load(self, place: str) -> int:
        cached = await self.ports.cache.get(_name_mark(place))
        return int(cached.value) if cached else 0

    async def _save(self, place: str, mark: int) -> None:
        self._marks[place] = mark
        await self.ports.cache.put(_name_mark(place), str(mark))


@dataclass(frozen=True, slots=True)
class _Span:
    """The messages of a room from an id on."""

    start: int
    ids: set[int]


def _is_deleted(thread: Thread, message: int, spans: Mapping[str, _Span]) -> bool:
    """Whether a logged message is gone from its room, as far as that was read.

    A thread's first message stands in its channel. Without the permission to read it, the history
    is empty, which says nothing.
    """
    is_root = str(message) == thread.root
    span = spans.get(thread.channel.id if is_root else thread.root)
    if span is None or not span.ids or message < span.start:
        return False
    return message not in span.ids


@contextmanager
def _keeping(failures: list[TroupeError]) -> Iterator[None]:
    """Go on after an error of Discord; keep it if the same may work later."""
    try:
        yield
    except (ChatError, *CALL_ERRORS) as error:
        problem = error if isinstance(error, ChatError) else translate_error(error)
        log.info("could not backfill", error=str(problem))
        if is_outage(problem):
            failures.append(problem)


def _name_place(guild: discord.Guild | None) -> str:
    return str(guild.id) if guild else DIRECT


def _name_mark(place: str) -> str:
    return f"{PLATFORM}:{place}:read"


async def _find_rooms(
    guild: discord.Guild | None, since: datetime, now: datetime, failures: list[TroupeError]
) -> Sequence[Room]:
    """The rooms of a server that the bot sees, and in which somebody wrote since then."""
    if guild is None:
        return ()
    rooms: list[Room] = [*guild.text_channels, *guild.voice_channels, *guild.stage_channels]
    rooms += guild.threads
    if now - since > _SOONEST_ARCHIVED:
        channels: list[_Channel] = [*guild.text_channels, *guild.forums]
        for channel in channels:
            with _keeping(failures):
                rooms += await _list_archived(channel, since)
    after = time_snowflake(since)
    return [room for room in rooms if _last_message(room) > after and _may_see(room, guild.me)]


def _last_message(room: Room) -> int:
    return getattr(room, "last_message_id", None) or 0


def _may_see(room: Room | _Channel, me: discord.Member) -> bool:
    place = room.parent if isinstance(room, discord.Thread) else room
    return place is not None and place.permissions_for(me).view_channel


async def _list_archived(channel: _Channel, since: datetime) -> Sequence[discord.Thread]:
    """The channel's public threads that were archived since then."""
    threads: list[discord.Thread] = []
    if _may_see(channel, channel.guild.me):
        async for thread in channel.archived_threads(limit=None):
            if thread.archive_timestamp < since:
                break
            threads.append(thread)
    return threads
