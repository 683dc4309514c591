"""Discord's rooms: channels, threads and direct messages, and what was written there."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import discord

from adapters.discord.web_api.calls import retry_call
from pipeline.domain import Thread
from pipeline.errors import ChatGone

PLATFORM = "discord"
DIRECT = "direct"
"""The workspace of direct messages, which belong to no server."""
Room = (
    discord.TextChannel
    | discord.Thread
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.DMChannel
    | discord.PartialMessageable
)


def parse_id(text: str) -> int | None:
    """A Discord id; None for the ids of messages that stand for a command or a retry."""
    return int(text) if text.isascii() and text.isdigit() else None


def find_room(client: discord.Client, id_: str) -> Room | None:
    """A channel or thread from the library's cache."""
    number = parse_id(id_)
    room = client.get_channel(number) if number is not None else None
    return room if isinstance(room, Room) else None


async def find_channel(client: discord.Client, thread: Thread) -> Room | None:
    """A thread's channel. Some are fetched, as Discord announces no direct channels."""
    id_ = int(thread.channel.id)
    room: object = client.get_channel(id_)
    if room is None:
        with suppress(ChatGone):
            room = await retry_call(lambda: client.fetch_channel(id_))
    return room if isinstance(room, Room) else None


async def read_history(room: Room, **where: Any) -> Sequence[discord.Message]:  # noqa: ANN401 - the library's own
    """The messages of `room.history`. Raises ChatGone if the bot may not read them."""

    async def read() -> Sequence[discord.Message]:
        return [message async for message in room.history(**where)]

    return await retry_call(read)
