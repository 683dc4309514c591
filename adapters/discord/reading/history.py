"""Reads again: what was said earlier in a thread, and a message as it stands now."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import discord

from adapters.discord.reading.messages import SPOKEN, is_readable
from adapters.discord.reading.reader import MessageReader
from adapters.discord.reading.threads import find_thread
from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.errors import UNKNOWN, find_code
from adapters.discord.web_api.rooms import find_room, parse_id, read_history
from pipeline.domain import Incoming, Thread
from pipeline.errors import ChatGone, FetchError


async def read_earlier(
    reader: MessageReader, thread: Thread, *, before: str, most: int
) -> Sequence[Incoming]:
    """The last messages of a thread before the one with this id, oldest first, without our own.

    Nothing if the thread or the permission to read it is gone. Raises ChatError.
    """
    room = find_room(reader.client, thread.root or thread.channel.id)
    if room is None or (thread.root and not isinstance(room, discord.Thread | discord.DMChannel)):
        return ()
    until = discord.Object(int(before)) if before.isdigit() else None
    try:
        messages = await read_history(room, limit=most, before=until)
    except ChatGone:
        return ()
    written = map(_find_written, reversed(messages))
    me = reader.client.user
    by_others = (each for each in written if each is not None and each.author != me)
    async with asyncio.TaskGroup() as tasks:
        reading = [tasks.create_task(_read(each, thread, reader)) for each in by_others]
    return [task.result() for task in reading]


def _find_written(message: discord.Message) -> discord.Message | None:
    """The message, if somebody wrote it; for the notice that begins a thread, the thread's root."""
    if message.type is discord.MessageType.thread_starter_message and message.reference:
        root = message.reference.resolved
        return root if isinstance(root, discord.Message) else None
    return message if message.type in SPOKEN and is_readable(message) else None


async def _read(message: discord.Message, thread: Thread, reader: MessageReader) -> Incoming:
    """An earlier message of a thread; of a channel, if the thread has no root.

    One that begins a thread is read without its files, which belong to it.
    """
    if thread.root:
        return await reader.try_to_read_whole(message, thread)
    own = find_thread(message.channel, message.id)
    incoming = await reader.try_to_read_whole(message, own)
    return replace(incoming, files=()) if message.flags.has_thread else incoming


async def reread(reader: MessageReader, message: Incoming) -> Incoming | None:
    """The message as it stands now; None if it was deleted. Raises ChatError.

    One that cannot be looked up, such as one that stands for a command, is returned as it is.
    """
    client, thread, id_ = reader.client, message.thread, parse_id(message.id)
    if id_ is None:
        return message
    # A root stands in the channel, or begins a post in a forum; others stand in the thread or
    # in the channel's chain of replies.
    guild, places = parse_id(thread.channel.workspace), (thread.root, thread.channel.id)
    for place in dict.fromkeys(places[::-1] if message.id == thread.root else places):
        unknown = client.get_partial_messageable(int(place), guild_id=guild)
        room = find_room(client, place) or unknown
        try:
            found = await retry_call(partial(room.fetch_message, id_))
            return await reader.read_whole(found, thread)
        except FetchError:
            return message
        except ChatGone as gone:
            if find_code(gone) not in UNKNOWN:
                return message
    return None
