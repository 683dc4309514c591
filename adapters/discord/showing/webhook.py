"""The place of an interaction where the bot may only respond: it may answer there for 15 minutes.

These are channels where it may not write, and servers, group conversations and conversations
between people where a person uses the bot that they installed for themselves.
"""

from typing import Any, Final

import discord

from adapters.discord.web_api.rooms import PLATFORM
from pipeline.domain import Incoming
from pipeline.ports import Cache

ORIGINAL: Final[Any] = "@original"
"""Stands for the id of the response that says "thinking"."""


def may_post(interaction: discord.Interaction[discord.Client]) -> bool:
    """Whether the bot is a member of the place of an interaction, and may post there.

    A server may have installed its commands without the bot.
    """
    if interaction.guild_id is None:
        return not interaction.context.private_channel
    may, is_inside = interaction.app_permissions, isinstance(interaction.channel, discord.Thread)
    opens = may.create_public_threads and may.send_messages_in_threads
    speaks = may.send_messages_in_threads if is_inside else may.send_messages or opens
    is_member = interaction.client.get_guild(interaction.guild_id) is not None
    return is_member and may.view_channel and speaks


async def save_webhook(cache: Cache, interaction: discord.Interaction[discord.Client]) -> None:
    """Keep the token with which a run that this interaction starts is answered."""
    channel = interaction.channel_id or 0
    await cache.put(_name(str(interaction.id)), f"{channel}/{interaction.token}")


async def find_webhook(
    client: discord.Client, cache: Cache, message: Incoming
) -> discord.Webhook | None:
    """The place of the interaction that started a run; None if the run is answered elsewhere."""
    id_ = message.click or message.id.rpartition("-")[2]
    saved = await cache.get(_name(id_)) if id_ != message.id else None
    if saved is None:
        return None
    channel, _, token = saved.value.partition("/")
    hook = discord.Webhook.partial(client.application_id or 0, token, client=client)
    hook.channel_id = int(channel)
    return hook


def _name(interaction: str) -> str:
    return f"{PLATFORM}:interaction:{interaction}"
