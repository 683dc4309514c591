"""Which conversation a message belongs to."""

from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial

import discord

from adapters.discord.reading.files import read_files
from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.library import Interaction
from adapters.discord.web_api.rooms import DIRECT, PLATFORM
from pipeline.domain import Channel, Link, Thread
from pipeline.errors import ChatError

_LONGEST_CHAIN = 25
"""Replies above a message that are followed to the root: each may be one call."""


def find_thread(room: object, root: int | str) -> Thread:
    """The conversation in a room of Discord's.

    A Discord thread is one conversation, and so is a direct channel. A channel has one below each
    message, whose id `root` is; "" stands for the channel outside of them.
    """
    if isinstance(room, discord.Thread):
        channel = Channel(PLATFORM, str(room.guild.id), str(room.parent_id))
        return Thread(channel, str(room.id), closed=room.is_private())
    guild, id_ = getattr(room, "guild", None), str(getattr(room, "id", root))
    if guild is None:
        return Thread(Channel(PLATFORM, DIRECT, id_), id_)
    return Thread(Channel(PLATFORM, str(guild.id), id_), str(root))


def find_replied_to(message: discord.Message) -> discord.Message | None:
    """The message that this one replies to, if Discord sent it along or it is cached."""
    reference = message.reference
    if reference is None or message.type is not discord.MessageType.reply:
        return None
    original = reference.resolved or reference.cached_message
    return original if isinstance(original, discord.Message) else None


async def find_thread_of(message: discord.Message) -> Thread:
    """The conversation that a message belongs to.

    Outside a thread, a message that replies to the bot belongs to a chain of replies; the chain's
    first message is the root.
    """
    root, guild = message, message.guild
    if guild and not isinstance(message.channel, discord.Thread):
        async for above in _read_above(message):
            if root is message and above.author != guild.me:
                break
            root = above
    return find_thread(message.channel, root.id)


async def find_thread_of_interaction(interaction: Interaction, root: str = "") -> Thread:
    """The conversation of the message whose button was pressed, else that below the root."""
    if interaction.message is not None:
        return await find_thread_of(interaction.message)
    return find_thread(interaction.channel or discord.Object(interaction.channel_id or 0), root)


async def find_files_above(message: discord.Message) -> tuple[Link, ...]:
    """The files of the nearest message that has some, in the chain of replies above a message."""
    async for above in _read_above(message):
        if files := read_files(above, previews=True):
            return files
    return ()


async def _read_above(message: discord.Message) -> AsyncIterator[discord.Message]:
    """The chain of replies above a message, upwards."""
    for _ in range(_LONGEST_CHAIN):
        above = await _fetch_replied_to(message)
        if above is None:
            break
        yield (message := above)


async def _fetch_replied_to(message: discord.Message) -> discord.Message | None:
    original, reference = find_replied_to(message), message.reference
    is_reply = message.type is discord.MessageType.reply
    if original is not None or not is_reply or reference is None or reference.message_id is None:
        return original
    with suppress(ChatError):
        return await retry_call(partial(message.channel.fetch_message, reference.message_id))
    return None
