"""Reads what was written while the bot was away."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

import discord
from discord.utils import snowflake_time, time_snowflake

from adapters.chat.backfill import Gap
from adapters.discord.web_api.calls import call_once
from adapters.discord.web_api.rooms import (
    DIRECT,
    Room,
    find_channel,
    find_room,
    parse_id,
    read_history,
)

_SOONEST_ARCHIVED = timedelta(hours=1)
"""Discord archives no thread sooner than this after its last message."""
_PAGE = 100
"""Older messages of a room that are looked through for edits: one call."""
_Channel = discord.TextChannel | discord.ForumChannel
"""What has threads that are archived."""
Take = Callable[[discord.Message], Awaitable[None]]


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
    """Take what was written and edited; `take` handles a message, new or edited, to the end."""
    spoken_in: set[Room] = set()
    for thread, _ in gap.threads:
        places = [find_room(client, thread.root)]
        with gap.attempt():
            places.append(await find_channel(client, thread))
        spoken_in.update(each for each in places if each)
    guild = None if gap.place == DIRECT else client.get_guild(int(gap.place))
    for room in {*spoken_in, *(await _find_rooms(guild, gap) if guild else ())}:
        with gap.attempt():
            await call_once(partial(_read_room, room, take, gap, has_older=room in spoken_in))


async def _read_room(room: Room, take: Take, gap: Gap, *, has_older: bool) -> None:
    """Take a room's messages of a gap, and edits of older ones."""
    ids: set[str] = set()
    async for message in room.history(limit=None, after=gap.since):
        ids.add(str(message.id))
        await take(message)
    older = await read_history(room, limit=_PAGE, before=gap.since) if has_older else ()
    for message in older:
        if message.edited_at and message.edited_at > gap.since:
            await take(message)
    ids |= {str(message.id) for message in older}
    start = older[-1].created_at if len(older) == _PAGE else datetime.min.replace(tzinfo=UTC)
    if ids:  # without the permission to read it, the history is empty, which says nothing
        gap.spans[str(room.id)] = start if has_older else gap.since, ids


async def _find_rooms(guild: discord.Guild, gap: Gap) -> Sequence[Room]:
    """The rooms of a server that the bot sees, and in which somebody wrote since then."""
    rooms: list[Room] = [*guild.text_channels, *guild.voice_channels, *guild.stage_channels]
    rooms += guild.threads
    if discord.utils.utcnow() - gap.since > _SOONEST_ARCHIVED:
        channels: list[_Channel] = [*guild.text_channels, *guild.forums]
        for channel in channels:
            with gap.attempt():
                rooms += await call_once(partial(_list_archived, channel, gap.since))
    after = time_snowflake(gap.since)
    return [
        room
        for room in rooms
        if (getattr(room, "last_message_id", None) or 0) > after and _may_see(room, guild.me)
    ]


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
