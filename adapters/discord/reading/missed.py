"""Reads what was written while the bot was away."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

import discord
import structlog
from discord.utils import snowflake_time, time_snowflake, utcnow

from adapters.chat.backfill import Gap
from adapters.discord.web_api.calls import call_once
from adapters.discord.web_api.library import add_room, make_message, search_messages
from adapters.discord.web_api.rooms import (
    DIRECT,
    Room,
    find_channel,
    find_room,
    parse_id,
    read_history,
)
from pipeline.errors import ChatGone, ChatRefused

_SOONEST_ARCHIVED = timedelta(hours=1)
"""Discord archives no thread sooner than this after its last message."""
_PAGE = 100
"""Older messages of a room that are looked through for edits: one call."""
_FEW_ROOMS = 3
"""Rooms with news in which the bot takes no part: so many are read whole, more are searched."""
_INDEXING = timedelta(minutes=3)
"""How long Discord's search may take to find a new message: until then its room is read."""
_MOST_ASKED = 50
"""Threads in which the bot took part and which may be archived: each is one call."""
_Channel = discord.TextChannel | discord.ForumChannel
"""What has threads that are archived."""
Take = Callable[[discord.Message], Awaitable[None]]

log = structlog.get_logger()


def find_time(id_: str) -> datetime | None:
    """When a message was written, by its id; None for the id of a run or a command."""
    number = parse_id(id_)
    return snowflake_time(number) if number else None


def make_id(at: datetime) -> str:
    """An id that a message of this time may have."""
    return str(time_snowflake(at))


def name_place(guild: discord.Guild | None) -> str:
    """What is read at once: a server, or the direct messages."""
    return str(guild.id) if guild else DIRECT


async def read_rooms(client: discord.Client, take: Take, gap: Gap) -> None:
    """Take what was written and edited; `take` handles a message, new or edited, to the end.

    Rooms in which the bot takes part are read. Elsewhere only what mentions the bot matters: where
    more than a few rooms have news, the server is searched for that, which takes one or two calls,
    and only their last minutes are read.
    """
    spoken_in: set[Room] = set()
    for thread, _ in gap.threads:
        places = [find_room(client, thread.root)]
        with gap.attempt():
            places.append(await find_channel(client, thread))
        spoken_in.update(each for each in places if each)
    guild = None if gap.place == DIRECT else client.get_guild(int(gap.place))
    others: dict[Room, datetime] = {}
    if guild:
        spoken_in.update(await _fetch_archived(client, guild, gap))
        others = await _read_others(client, guild, take, gap, spoken_in)
    for room in spoken_in:
        with gap.attempt():
            await call_once(partial(_read_room, room, take, gap, gap.since, has_older=True))
    for room, since in others.items():
        with gap.attempt():
            await call_once(partial(_read_room, room, take, gap, since, has_older=False))


async def _read_others(
    client: discord.Client, guild: discord.Guild, take: Take, gap: Gap, spoken_in: set[Room]
) -> dict[Room, datetime]:
    """Take the mentions that a search finds; returns what is to be read besides, and since when."""
    rooms = [room for room in _find_rooms(guild, gap.since) if room not in spoken_in]
    may_be_archived = utcnow() - gap.since > _SOONEST_ARCHIVED
    is_found = False
    if may_be_archived or len(rooms) > _FEW_ROOMS:
        with gap.attempt():
            read = {room.id for room in (*spoken_in, *(rooms if len(rooms) <= _FEW_ROOMS else ()))}
            is_found = await _take_mentions(client, guild, take, gap, read)
    if may_be_archived and not is_found:
        rooms += [each for each in await _list_all_archived(guild, gap) if each not in spoken_in]
    if not is_found or len(rooms) <= _FEW_ROOMS:
        return dict.fromkeys(rooms, gap.since)
    start = max(gap.since, utcnow() - _INDEXING)
    return dict.fromkeys(_filter_rooms(rooms, start), start)


async def _take_mentions(
    client: discord.Client, guild: discord.Guild, take: Take, gap: Gap, read: set[int]
) -> bool:
    """Take what mentions the bot, or its role, in rooms that are not read. Raises ChatError.

    False if Discord does not let us search the server, or not yet.
    """
    role, since = guild.self_role, time_snowflake(gap.since)
    wanted = [{"mentions": guild.me.id}, *([{"mentions_role_id": role.id}] if role else [])]
    for who in wanted:
        try:
            found = await call_once(partial(search_messages, client, guild.id, since, who))
        except (ChatGone, ChatRefused) as refused:
            log.info("server not searched", server=guild.id, problem=str(refused))
            return False
        if found is None:
            return False
        for payload in found:
            channel = int(payload["channel_id"])
            if channel in read:
                continue
            with gap.attempt():
                room = guild.get_channel_or_thread(channel) or await _fetch_room(client, channel)
                if room is not None:
                    await take(make_message(client, room, payload))
    return True


async def _fetch_room(client: discord.Client, id_: int) -> object | None:
    """A thread that is archived; None if it is gone."""
    try:
        room = await call_once(partial(client.fetch_channel, id_))
    except ChatGone:
        return None
    add_room(client, room)
    return room


async def _fetch_archived(client: discord.Client, guild: discord.Guild, gap: Gap) -> Sequence[Room]:
    """The threads in which the bot took part and that the gateway told nothing of."""
    roots = [parse_id(thread.root) for thread, _ in gap.threads]
    unknown = [id_ for id_ in roots if id_ and not guild.get_thread(id_)][-_MOST_ASKED:]
    rooms: list[Room] = []
    for id_ in unknown if utcnow() - gap.since > _SOONEST_ARCHIVED else ():
        with gap.attempt():
            room = await _fetch_room(client, id_)
            rooms += [room] if isinstance(room, discord.Thread) else []
    return _filter_rooms(rooms, gap.since)


async def _read_room(room: Room, take: Take, gap: Gap, since: datetime, *, has_older: bool) -> None:
    """Take a room's messages of a gap, and edits of older ones."""
    ids: set[str] = set()
    async for message in room.history(limit=None, after=since):
        ids.add(str(message.id))
        await take(message)
    older = await read_history(room, limit=_PAGE, before=since) if has_older else ()
    for message in older:
        if message.edited_at and message.edited_at > since:
            await take(message)
    ids |= {str(message.id) for message in older}
    start = older[-1].created_at if len(older) == _PAGE else datetime.min.replace(tzinfo=UTC)
    if ids:  # without the permission to read it, the history is empty, which says nothing
        gap.spans[str(room.id)] = start if has_older else since, ids


def _find_rooms(guild: discord.Guild, since: datetime) -> list[Room]:
    """The rooms of a server that the bot sees, and in which somebody wrote since then."""
    rooms: list[Room] = [*guild.text_channels, *guild.voice_channels, *guild.stage_channels]
    return [
        room for room in _filter_rooms([*rooms, *guild.threads], since) if _may_see(room, guild.me)
    ]


def _filter_rooms(rooms: Iterable[Room], since: datetime) -> list[Room]:
    after = time_snowflake(since)
    return [room for room in rooms if (getattr(room, "last_message_id", None) or 0) > after]


async def _list_all_archived(guild: discord.Guild, gap: Gap) -> Sequence[Room]:
    rooms: list[Room] = []
    channels: list[_Channel] = [*guild.text_channels, *guild.forums]
    for channel in channels:
        with gap.attempt():
            rooms += await call_once(partial(_list_archived, channel, gap.since))
    return [room for room in _filter_rooms(rooms, gap.since) if _may_see(room, guild.me)]


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
